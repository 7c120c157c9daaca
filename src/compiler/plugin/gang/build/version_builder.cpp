// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/build/version_builder.hpp"

#include <utility>

#include "gang/jam/adjacent_gathers.hpp"
#include "gang/jam/warp_jam.hpp"
#include "gang/shape/shapes.hpp"

namespace cohort {
namespace {

class version_builder {
 public:
  version_builder(const gang_plan& plan, const version_source& source, llvm::function_ref<gang_function()> make_loop)
      : plan_(plan), source_(source), make_loop_(make_loop) {}

  version_set run() {
    for (const version_plan& planned : plan_.versions) {
      if (planned.is_fallback && is_served(planned)) {
        continue;
      }
      if (!planned.is_fallback) {
        result_.refusal.clear();
      }
      if (gang_function function = make(planned)) {
        keep({planned, std::move(function)});
      } else if (planned.is_required) {
        return {{}, std::nullopt, std::move(result_.refusal), {}, {}};
      } else {
        result_.not_made.push_back(planned);
      }
    }
    return std::move(result_);
  }

 private:
  // A row version for one warp or row from which wider ones are made. It may be a version of the plan, too.
  struct base_version {
    unsigned lanes;
    bool whole_row;
    gang_version version;
    std::optional<jam_form> form = {};
  };

  // True if the blocks of `planned` have a version.
  bool is_served(const version_plan& planned) const {
    if (serves_any_block(planned.kind)) {
      return result_.others.has_value();
    }
    return llvm::any_of(result_.rows,
                        [](const built_version& made) { return made.plan.kind != version_kind::whole_rows; });
  }

  gang_function make(const version_plan& planned) {
    switch (planned.kind) {
      case version_kind::row:
        return std::move(base(planned.width, false).version.function);
      case version_kind::several_warps:
        return join_warps(planned.width);
      case version_kind::whole_rows:
        return join_rows(planned.width, planned.row_lanes);
      case version_kind::half_warp:
        return std::move(base(planned.width, true).version.function);
      case version_kind::any_block:
        return accept(make_any_version(source_, planned.width));
      case version_kind::thread_loop:
        return make_loop_();
    }
    llvm_unreachable("a version of no kind");
  }

  void keep(built_version made) {
    if (serves_any_block(made.plan.kind)) {
      result_.others = std::move(made);
      return;
    }
    if (result_.rows.empty()) {
      result_.notes = base_->version.notes;
    }
    result_.rows.push_back(std::move(made));
  }

  gang_function accept(gang_version made) {
    if (result_.refusal.empty()) {
      result_.refusal = std::move(made.refusal);
    }
    return std::move(made.function);
  }

  base_version& base(unsigned lanes, bool whole_row) {
    if (!base_ || base_->lanes != lanes || base_->whole_row != whole_row) {
      base_.reset();  // frees the name, which the next version takes
      base_.emplace(base_version{lanes, whole_row, make_row_version(source_, lanes, whole_row)});
    }
    if (result_.refusal.empty()) {
      result_.refusal = base_->version.refusal;
    }
    return *base_;
  }

  const jam_form& form(base_version& rows, const jam_axis& axis) {
    if (!rows.form) {
      rows.form = form_of(*rows.version.function, axis, source_.functions);
    }
    return *rows.form;
  }

  gang_function join_warps(unsigned width) {
    const jam_axis axis = warps_in_x(lanes_of_warp);
    base_version& rows = base(lanes_of_warp, false);
    if (!rows.version.function || (plan_.needs_common_loop && !form(rows, axis).has_common_loop)) {
      return {};
    }
    return jam(*rows.version.function, axis, width, plan_.registers, source_.functions);
  }

  gang_function join_rows(unsigned width, unsigned row_lanes) {
    const jam_axis axis = rows_in_y(row_lanes);
    base_version& rows = base(row_lanes, true);
    if (!rows.version.function || !form(rows, axis).is_possible) {
      return {};
    }
    gang_function joined = jam(*rows.version.function, axis, width, plan_.registers, source_.functions);
    if (joined) {
      join_adjacent_gathers(*joined);
    }
    return joined;
  }

  const gang_plan& plan_;
  const version_source& source_;
  const llvm::function_ref<gang_function()> make_loop_;
  std::optional<base_version> base_;
  version_set result_;
};

}  // namespace

version_set build_versions(const gang_plan& plan, const version_source& source,
                           llvm::function_ref<gang_function()> make_loop) {
  return version_builder(plan, source, make_loop).run();
}

}  // namespace cohort
