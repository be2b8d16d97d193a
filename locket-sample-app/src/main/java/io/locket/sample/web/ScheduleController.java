package io.locket.sample.web;

import java.util.List;
import java.util.Optional;

import io.locket.job.administration.JobAdministration;
import io.locket.schedule.Schedules;
import io.locket.schedule.leader.Leadership;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Controller for the schedules and their leader. It pauses, resumes and triggers
 * schedules.
 */
@RestController
class ScheduleController {

	private final Schedules schedules;

	private final Leadership leadership;

	private final JobAdministration jobs;

	ScheduleController(Schedules schedules, Leadership leadership, JobAdministration jobs) {
		this.schedules = schedules;
		this.leadership = leadership;
		this.jobs = jobs;
	}

	@GetMapping("/leader")
	ResponseEntity<LeaderView> leader() {
		return ResponseEntity
			.of(this.leadership.leader().map((leader) -> LeaderView.of(leader, this.leadership.term())));
	}

	@GetMapping("/schedules")
	List<ScheduleView> schedules() {
		return this.schedules.list().stream().map((status) -> ScheduleView.of(status, this.jobs::find)).toList();
	}

	@GetMapping("/schedules/{name}")
	ResponseEntity<ScheduleView> schedule(@PathVariable String name) {
		return ResponseEntity.of(find(name));
	}

	@PostMapping("/schedules/{name}/pause")
	ResponseEntity<ScheduleView> pause(@PathVariable String name) {
		this.schedules.pause(name);
		return ResponseEntity.of(find(name));
	}

	@PostMapping("/schedules/{name}/resume")
	ResponseEntity<ScheduleView> resume(@PathVariable String name) {
		this.schedules.resume(name);
		return ResponseEntity.of(find(name));
	}

	/**
	 * Enqueues the job of a schedule now.
	 * @param name the name of the schedule
	 * @return the result, with status 409 if a job with the same key exists
	 */
	@PostMapping("/schedules/{name}/trigger")
	ResponseEntity<FiringView> trigger(@PathVariable String name) {
		if (find(name).isEmpty()) {
			return ResponseEntity.notFound().build();
		}
		FiringView firing = FiringView.of(this.schedules.triggerNow(name), this.jobs::find);
		return ResponseEntity.status(firing.merged() ? HttpStatus.CONFLICT : HttpStatus.ACCEPTED).body(firing);
	}

	private Optional<ScheduleView> find(String name) {
		return this.schedules.get(name).map((status) -> ScheduleView.of(status, this.jobs::find));
	}

}
