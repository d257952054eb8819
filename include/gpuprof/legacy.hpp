// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events and metrics of capability 2.0 to 7.2, and what they are on later ones: an export list. Layer: vocabulary.
#ifndef GPUPROF_LEGACY_HPP
#define GPUPROF_LEGACY_HPP

#include "capability_family.hpp"
#include "event.hpp"
#include "expression.hpp"
#include "formula.hpp"
#include "formula_text.hpp"
#include "legacy/lookup.hpp"
#include "legacy/named.hpp"
#include "legacy_mapping.hpp"
#include "legacy_metric.hpp"
#include "metric_property.hpp"

#endif // GPUPROF_LEGACY_HPP
