#include "report/report_json.hpp"

#include <cmath>

namespace kith {
namespace {

std::int64_t ns_of(double seconds) {
  return std::isfinite(seconds) ? std::llround(std::min(1e9, std::max(-1e9, seconds)) * 1e9) : 0;
}

void put_bands(JsonText& json, const std::vector<ReportTime::Band>& bands) {
  json.key("bands").begin_array();
  for (const ReportTime::Band& band : bands) {
    json.value(ns_of(band.begin)).value(ns_of(band.end)).value(band.phase);
  }
  json.end_array();
}

void put_events(JsonText& json, const std::vector<timeline::PeriodEvent>& events) {
  json.key("events").begin_array();
  for (const timeline::PeriodEvent& event : events) {
    json.begin_array().value(timeline::name_of(event.op));
    json.value(static_cast<int>(timeline::shade_of(event.op))).value(event.bytes).value(event.tag);
    json.begin_array();
    for (const std::int32_t peer : event.peers) json.value(peer);
    json.end_array().value(event.requests);
    json.value(timeline::is_send(event.op) ? "to" : "from").end_array();
  }
  json.end_array();
}

void put_period(JsonText& json, const timeline::Period& period) {
  json.key("period").begin_object();
  json.key("begin").value(ns_of(period.begin)).key("end").value(ns_of(period.end));
  json.key("repeats").value(period.repeats).key("shown").value(period.shown);
  json.key("cut").value(period.is_cut);
  put_events(json, period.events);
  json.key("ranks").begin_array();
  for (const timeline::PeriodRank& rank : period.ranks) {
    double gaps = 0;
    double computing = 0;
    for (const timeline::PeriodSlice& slice : rank.slices) {
      gaps += slice.gap;
      computing += slice.computing;
    }
    json.begin_object().key("rank").value(rank.rank);
    json.key("begin").value(ns_of(rank.begin - period.begin));
    json.key("busy").value(gaps > 0 ? std::round(1000 * computing / gaps) / 1000 : 1);
    json.key("slices").begin_array();
    for (const timeline::PeriodSlice& slice : rank.slices) {
      json.value(ns_of(slice.gap)).value(ns_of(slice.inside)).value(slice.event);
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

}  // namespace

void put_time(JsonText& json, const ReportTime& time) {
  const timeline::RunPicture& run = time.run;
  json.key("time").begin_object();
  json.key("ns").value(ns_of(run.seconds));
  json.key("ranks").value(time.ranks).key("covered").value(time.covered);
  json.key("bins").value(run.bins).key("block").value(run.block).key("rows").value(run.rows);
  json.key("shares").value(base64_of(run.shares));
  json.key("seconds").begin_array();
  for (const timeline::ShadeSeconds& row : time.rows) {
    json.begin_array();
    for (const double seconds : row) json.value(std::round(1e6 * seconds) / 1e6);
    json.end_array();
  }
  json.end_array();
  put_bands(json, time.bands);
  json.key("waits").begin_array();
  for (const timeline::WaitPair& pair : time.waits) {
    json.begin_object().key("rank").value(pair.waiting).key("for").value(pair.awaited);
    json.key("seconds").value(pair.seconds).key("sending").value(pair.is_sending).end_object();
  }
  json.end_array();
  put_period(json, time.period);
  json.end_object();
}

void put_prediction(JsonText& json, const ReportPrediction& predicted) {
  constexpr std::size_t longest_name = 80;
  json.key("predicted").begin_object();
  json.key("seconds").value(predicted.seconds);
  json.key("low").value(predicted.low).key("high").value(predicted.high);
  json.key("bound").value(clipped(predicted.bound, longest_name));
  json.key("links").begin_array();
  for (const ReportLink& link : predicted.links) {
    json.begin_object().key("name").value(clipped(link.name, longest_name));
    json.key("bytes").value(std::round(link.bytes)).key("busy").value(link.busy).end_object();
  }
  json.end_array().end_object();
}

void put_seconds(JsonText& json, const ReportSeconds& seconds) {
  constexpr std::size_t longest_text = 300;
  json.key("seconds").begin_object();
  json.key("recorded").value(seconds.recorded);
  if (seconds.simulated) json.key("simulated").value(*seconds.simulated);
  json.key("basis").begin_array();
  for (const auto* const sentences : {&seconds.clock, &seconds.assumed}) {
    for (const std::string& one : *sentences) json.value(clipped(one, longest_text));
  }
  json.end_array().end_object();
}

}  // namespace kith
