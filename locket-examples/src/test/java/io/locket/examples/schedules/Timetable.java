package io.locket.examples.schedules;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.queue.EnqueueResult;
import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.ScheduleStatus;
import io.locket.schedule.Schedules;

import org.springframework.stereotype.Component;

@Component
class Timetable {

	private final Schedules schedules;

	Timetable(Schedules schedules) {
		this.schedules = schedules;
	}

	void put() {
		Schedules schedules = this.schedules;
		schedules.put(ScheduleRequest
			.cron("report-north", "0 0 6 * * MON-FRI",
					JobRequest.of(Billing.class, (billing) -> billing.report("north", 20)))
			.zone(ZoneId.of("Europe/Berlin"))
			.misfire(Misfire.ALL)
			.catchUp(Duration.ofHours(3)));
		schedules.put(ScheduleRequest
			.every("watch", Duration.ofSeconds(30),
					JobRequest.of("billing.report", "watch", 5).with(EnqueueOptions.now().queue("reports")))
			.untilThisProcessEnds());
	}

	String look() {
		Schedules schedules = this.schedules;
		List<ScheduleStatus> all = schedules.list();
		ScheduleStatus north = schedules.get("report-north").orElseThrow();

		return all.stream().map(ScheduleStatus::name).toList() + " " + (north.lastFired() == null) + " "
				+ (north.nextFiring() != null);
	}

	EnqueueResult update() {
		Schedules schedules = this.schedules;
		schedules.pause("report-north");
		schedules.resume("report-north");
		EnqueueResult now = schedules.triggerNow("report-north");
		schedules.remove("watch");

		return now;
	}

	void replaceAll(List<ScheduleRequest> wanted) {
		this.schedules.replaceAll(wanted);
	}

}
