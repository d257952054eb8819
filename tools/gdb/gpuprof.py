# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows gpuprof's results, errors and quantities in gdb as a program prints them.

    (gdb) source tools/gdb/gpuprof.py     or a line of ~/.gdbinit

It reads debug information and memory alone; it calls nothing in the program. For g++ and clang.
"""
import re

import gdb
import gdb.printing

INSIDE = r"^gpuprof::(?:\w+::)?"  # the namespace with its ABI tag


def text_of(string):
    """A std::string of libstdc++; of another library, as gdb shows it."""
    try:
        return string["_M_dataplus"]["_M_p"].string(length=int(string["_M_string_length"]))
    except gdb.error:
        return str(string)


def last_word(enumerator):
    return str(enumerator).rsplit("::", 1)[-1]


class Error:
    """busy: what; because cause; remedy: remedy"""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        what, cause, remedy = (text_of(self.value[each]) for each in ("what", "cause", "remedy"))
        return (last_word(self.value["code"]).replace("_", " ") + ": " + what + ("; because " + cause if cause else "")
                + ("; remedy: " + remedy if remedy else ""))


class Result:
    """result of VALUE, or error ERROR"""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        if not self.value["holds_"]:
            return "error " + Error(self.value["error_"]).to_string()
        if self.value.type.strip_typedefs().template_argument(0).code == gdb.TYPE_CODE_VOID:
            return "result of nothing"
        return f"result of {self.value['value_']}"


class Quantity:
    """VALUE UNIT: the unit is a template argument, which stands in the type's name"""

    SPELLED = {"branch_target": "branch target", "bank_conflict": "conflict", "reg": "register", "cta": "CTA", "second": "s"}
    PREFIXES = {3: "k", 6: "M", 9: "G", 12: "T"}
    SECONDS = {-3: "ms", -6: "us", -9: "ns"}

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return f"{float(self.value['value_']):.17g} " + self.symbol()

    def symbol(self):  # as core/unit_symbol.hpp; the test gdb/printers compares
        name = self.value.type.strip_typedefs().unqualified().name
        space = re.match(INSIDE, name)[0]
        names = {field.enumval: last_word(field.name) for field in gdb.lookup_type(space + "dimension").fields()}
        factors = [(names[int(of)], int(exponent)) for of, exponent in re.findall(r"\{(?:\([\w:]+\))?(\d+), (-?\d+)\}", name)]
        factors = [each for each in factors if each[1] != 0]
        power = int(re.search(r"(-?\d+)\}\s*>$", name)[1])
        if not factors and power in (0, -2):
            return "%" if power else "ratio"
        second = "s"
        for of, exponent in factors:
            if of == "second" and abs(exponent) == 1 and power * exponent in self.SECONDS:
                second, power = self.SECONDS[power * exponent], 0

        def spelled(of, exponent):
            word = second if of == "second" else self.SPELLED.get(of, re.sub(r"^cycle_(\w+)", r"cycle(\1)", of))
            return word if abs(exponent) == 1 else f"{word}^{abs(exponent)}"

        above = "*".join(spelled(*each) for each in factors if each[1] > 0)
        below = "".join("/" + spelled(*each) for each in factors if each[1] < 0)
        joins = bool(factors) and factors[0][1] > 0
        prefix = "" if power == 0 else self.PREFIXES[power] if joins and power in self.PREFIXES else f"10^{power} "
        return prefix + (above or "1") + below


PRINTERS = gdb.printing.RegexpCollectionPrettyPrinter("gpuprof")
PRINTERS.add_printer("error", INSIDE + "error$", Error)
PRINTERS.add_printer("result", INSIDE + "result<.*>$", Result)
PRINTERS.add_printer("quantity", INSIDE + "quantity<.*>$", Quantity)
gdb.printing.register_pretty_printer(gdb.current_objfile(), PRINTERS, replace=True)
