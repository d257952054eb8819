// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events and metrics of capability 2.0 to 7.2, and what they are on later ones: an export list. Layer: vocabulary.
#ifndef GPUPROF_LEGACY_HPP
#define GPUPROF_LEGACY_HPP

#include "legacy/asked_name.hpp"
#include "legacy/capability_family.hpp"
#include "legacy/event.hpp"
#include "legacy/expression.hpp"
#include "legacy/formula.hpp"
#include "legacy/formula_text.hpp"
#include "legacy/info.hpp"
#include "legacy/lookup.hpp"
#include "legacy/named.hpp"
#include "legacy/legacy_mapping.hpp"
#include "legacy/legacy_metric.hpp"
#include "legacy/metric_property.hpp"

#endif // GPUPROF_LEGACY_HPP
