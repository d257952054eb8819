// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the page of an explanation looks.
#ifndef GPUPROF_IO_PAGE_STYLE_HPP
#define GPUPROF_IO_PAGE_STYLE_HPP

#include <string_view>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io::detail {

inline constexpr std::string_view page_style = R"css(
:root{color-scheme:light dark;
--bg:light-dark(#f6f7f9,#101418);--card:light-dark(#fff,#181d23);--line:light-dark(#dde1e6,#2c343d);
--text:light-dark(#1b2127,#e4e8ec);--soft:light-dark(#5a6570,#9aa6b2);--link:light-dark(#0b5cad,#7cb7f5);
--bar:light-dark(#3b7dc4,#5b9be0);--base:light-dark(#b9bfc7,#596470);--track:light-dark(#e6e9ed,#2a323a);
--high:light-dark(#b3261e,#ff8a80);--mid:light-dark(#9a5b00,#f2b552);--low:light-dark(#5a6570,#9aa6b2);
--good:light-dark(#1b6e3c,#7fd39b);--note:light-dark(#fff6dc,#332a12);--noteline:light-dark(#e0b64a,#8a6d1f)}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
html{scroll-padding-top:3.5rem}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
overflow-wrap:break-word}
code,li,dd,summary{overflow-wrap:anywhere}
a{color:var(--link)}
code{font:.9em ui-monospace,SFMono-Regular,Consolas,monospace;unicode-bidi:isolate}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
header,main,footer{max-width:78rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:1.5rem}
.top{display:flex;gap:1rem;align-items:start;justify-content:space-between}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 .75rem}
h2{font-size:1.25rem;margin:2rem 0 .6rem}
h3{font-size:1.02rem;margin:0;display:inline}
h4{font-size:1rem;margin:0}
h5{font-size:.95rem;margin:0}
p{margin:.4rem 0}
.soft,small{color:var(--soft)}
small{font-size:.85em}
button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.4rem;padding:.2rem .65rem;
cursor:pointer;white-space:nowrap}
button:hover{border-color:var(--soft)}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;background:var(--card);padding:.4rem .8rem;z-index:2}
nav{position:sticky;top:0;z-index:1;background:var(--bg);border-bottom:1px solid var(--line);margin-top:1rem}
nav ul{max-width:78rem;margin:0 auto;padding:.5rem 1.25rem;display:flex;flex-wrap:wrap;gap:.2rem 1.25rem;list-style:none}
nav li:last-child{margin-left:auto}
input{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.4rem;padding:.1rem .5rem;width:11rem;
max-width:100%}
nav li{align-self:center}
[hidden]{display:none!important}
.facts{display:flex;flex-wrap:wrap;gap:.35rem 1.75rem;margin:0}
.facts dt,.facts dd{display:inline;margin:0}
.facts dt{color:var(--soft)}
.facts dt::after{content:" "}
.source tr{--hot:color-mix(in srgb,var(--high) calc(var(--heat)*45%),transparent)}
.source .line{background:var(--hot);font-weight:600}
.source .code{text-align:left;white-space:pre;font:.85em ui-monospace,SFMono-Regular,Consolas,monospace}
.source .instruction .code{padding-left:2rem}
.source th:last-child{text-align:left}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:.75rem;padding:0;margin:1rem 0 0;list-style:none}
.tiles li{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.6rem .9rem}
.tiles b{display:block;font-size:1.35rem;line-height:1.3}
.note{background:var(--note);border-left:4px solid var(--noteline);border-radius:.3rem;padding:.5rem .9rem;margin:1rem 0 0}
.note ul{margin:.2rem 0;padding-left:1.2rem}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:.6rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--soft);padding:.5rem .8rem;font-size:.9em}
th,td{padding:.38rem .8rem;text-align:left;vertical-align:top;border-top:1px solid var(--line)}
thead th{border-top:0;color:var(--soft);font-weight:600;font-size:.88em;vertical-align:bottom}
tbody th{font-weight:400}
.n{text-align:right;white-space:nowrap}
.scroll>table tbody tr:hover{background:color-mix(in srgb,var(--track) 45%,transparent)}
th button{border:0;background:none;padding:0;font-weight:600;color:inherit;text-align:inherit;white-space:normal}
th button::after{content:"\a0\2195";opacity:.45}
th[aria-sort=ascending] button::after{content:"\a0\2191";opacity:1}
th[aria-sort=descending] button::after{content:"\a0\2193";opacity:1}
svg{display:block}
.bars text{fill:var(--text);font:13px system-ui,sans-serif}
.bars .soft{fill:var(--soft)}
.part{overflow-x:auto}
.part svg{min-width:20rem;max-width:50rem}
.part td,.part thead th{text-align:right}
.part caption{padding-top:.9rem;font-weight:600}
.section.whole{column-span:all}
.section.whole tbody th{overflow-wrap:anywhere}
.part h5{margin:.8rem 0 .2rem}
.iv{width:8rem;height:.6rem;margin:.32rem 0 .1rem;border-radius:.3rem}
.share{width:5rem;height:.45rem;margin:.45rem 0 0 auto;border-radius:.3rem}
.t{fill:var(--track)}
.b{fill:var(--bar);opacity:.45}
.l,.v{fill:var(--bar)}
.o{fill:var(--high)}
.scroll+.scroll,.note+.scroll{margin-top:.75rem}
.metric code{display:inline-block;min-width:11rem}
.w{fill:var(--base)}
.narrow{display:none}
.up{color:var(--high)}
.down{color:var(--good)}
.scroll:has(>.sorts){max-height:34rem;overflow-y:auto}
.sorts thead th{position:sticky;top:0;background:var(--card)}
.tiles small{white-space:nowrap}
.sorts tbody th{min-width:11rem}
.sorts td.wide code{display:inline-block;min-width:9rem}
.range{background:var(--card);border:1px solid var(--line);border-radius:.6rem;margin:.75rem 0}
.range>summary{padding:.7rem 1rem;cursor:pointer}
.range>summary .soft{display:block;margin-left:1.1rem}
.range[open]>summary{border-bottom:1px solid var(--line)}
.body{padding:.8rem 1rem 1rem}
.full{display:flex;gap:.75rem;align-items:start;justify-content:space-between;margin:0 0 .6rem}
.finding{border:1px solid var(--line);border-left:4px solid var(--low);border-radius:.4rem;padding:.6rem .9rem;margin:.6rem 0}
.finding.high{border-left-color:var(--high)}
.finding.mid{border-left-color:var(--mid)}
.finding.info{border-left-color:var(--bar)}
.finding .head{display:flex;flex-wrap:wrap;gap:.1rem 1rem;align-items:baseline;justify-content:space-between}
.gain{display:flex;flex-wrap:wrap;gap:0 .6rem;align-items:center;margin:.15rem 0}
.finding dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem .9rem;margin:.4rem 0 0}
.finding dt{color:var(--soft)}
.finding dd{margin:0}
.ids{min-width:13rem}
.evidence summary{cursor:pointer;color:var(--soft);margin-top:.3rem}
.sections{columns:2 28rem;column-gap:1.25rem;margin-top:.75rem}
.sections.compared{columns:1}
.meaning::first-letter{text-transform:uppercase}
.section{break-inside:avoid;border:1px solid var(--line);border-radius:.5rem;padding:.6rem .9rem;margin:0 0 1rem}
.section table{font-size:.93em}
.section tbody th{min-width:9rem}
.section td{white-space:nowrap}
.section th,.section td,.evidence th,.evidence td{padding:.22rem .5rem}
.section caption,.evidence caption{padding:.3rem .5rem}
.section svg{width:100%;margin:.4rem 0}
.section details>summary{cursor:pointer;color:var(--soft)}
.values{margin-top:1.1rem}
.notes{margin:.3rem 0 0;padding-left:1.4rem;font-size:.87em;color:var(--soft)}
footer{padding:1.5rem 1.25rem 2.5rem;color:var(--soft);font-size:.9em}
@media (max-width:46rem){
.wide{display:none}
.narrow{display:block}
header,main,footer{padding-left:.8rem;padding-right:.8rem}
nav ul{padding-left:.8rem;padding-right:.8rem}
th,td{padding:.38rem .5rem}
.iv{width:5rem}
.share{width:3.5rem}
.body{padding:.7rem}
.finding dl{grid-template-columns:1fr}
.finding dd{margin-bottom:.3rem}
.section{padding:.5rem}
.sorts tbody th{min-width:8rem}
}
@media print{
:root{color-scheme:light;--bg:#fff}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
nav,.skip,.top button,.full button{display:none}
.sorts thead th{position:static}
th button::after{content:""}
.scroll,.scroll:has(>.sorts){overflow:visible;max-height:none}
.finding,.section,tr{break-inside:avoid}
}
)css";

} // namespace io::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_PAGE_STYLE_HPP
