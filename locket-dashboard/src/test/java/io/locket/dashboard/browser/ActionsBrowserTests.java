package io.locket.dashboard.browser;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.locket.JobKey;
import io.locket.JobState;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.job.administration.JobAdministration;
import io.locket.lease.Lease;
import io.locket.lease.LeaseService;
import io.locket.queue.EnqueueResult;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.Schedules;
import io.locket.worker.consumer.ConsumedJob;
import io.locket.worker.consumer.JobConsumer;
import io.locket.worker.consumer.JobConsumers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the actions on one job, queue, schedule or lease in a browser. Each asks
 * first, and shows its result.
 */
@ExtendWith(BrowserCondition.class)
@Tag("browser")
class ActionsBrowserTests {

	@AutoClose
	private static ConfigurableApplicationContext application;

	@AutoClose
	private static OpenDashboard dashboard;

	private static JobAdministration administration;

	@BeforeAll
	static void start() {
		application = DashboardApplication.start("unrestricted");
		administration = application.getBean(JobAdministration.class);
		dashboard = new OpenDashboard(application, "#/");
	}

	@Test
	void deadLetterIsDismissed() {
		String id = enqueue("mail", "nobody");
		await().atMost(Duration.ofSeconds(20)).until(() -> state(id) == JobState.DEAD);
		dashboard.open("#/job/" + id);
		perform("Dismiss", "Dismiss mail?\n[\"nobody\"]\n" + id, "mail " + id + ": done");
		assertThat(administration.counts("mail").deadLetters()).isZero();
	}

	@Test
	void actionsOfARowAreNamedAfterItsJobAndLeaveTheFocusOnTheContent() {
		String one = enqueue("mail", "one");
		String other = enqueue("mail", "other");
		await().atMost(Duration.ofSeconds(20)).until(() -> administration.counts("mail").deadLetters() == 2);
		dashboard.open("#/");
		dashboard.awaitText("main", "[\"one\"]", "[\"other\"]");
		String button = "main button[aria-label='Dismiss mail [\"%s\"] %s']";
		dashboard.click(button.formatted("one", one), "Dismiss");
		dashboard.awaitText("dialog", "Dismiss mail?\n[\"one\"]\n" + one);
		dashboard.click("dialog button", "Dismiss");
		await().atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(dashboard.text("main")).doesNotContain("[\"one\"]"));
		await().atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(dashboard.focused().getTagName()).isEqualTo("main"));
		assertThat(dashboard.browser().findElements(By.cssSelector(button.formatted("other", other)))).hasSize(1);
		administration.dismiss(other);
	}

	@Test
	void scheduledJobIsRunNow() {
		String id = enqueue("bill", 1);
		administration.reschedule(id, Instant.now().plusSeconds(3600));
		dashboard.open("#/job/" + id);
		perform("Run now", "Run now bill?", "bill " + id + ": done");
		assertThat(state(id)).isEqualTo(JobState.READY);
	}

	@Test
	void jobIsRescheduledToALocalTime() {
		String id = enqueue("bill", 2);
		dashboard.open("#/job/" + id);
		dashboard.click("main button", "Reschedule");
		dashboard.awaitText("dialog", "Reschedule bill?", "in your time zone");
		type("2100-01-02T03:04");
		dashboard.click("dialog button", "Reschedule");
		dashboard.awaitText(".said", "bill " + id + ": done");
		assertThat(state(id)).isEqualTo(JobState.SCHEDULED);
		assertThat(administration.find(id).orElseThrow().startAt()).isEqualTo(instantOf("2100-01-02T03:04"));
	}

	@Test
	void jobIsNotRescheduledToAYearWithFiveDigits() {
		String id = enqueue("bill", 12);
		dashboard.open("#/job/" + id);
		dashboard.click("main button", "Reschedule");
		dashboard.awaitText("dialog", "Reschedule bill?");
		WebElement field = dashboard.focused();
		type("12345-01-02T03:04");
		dashboard.click("dialog button", "Reschedule");
		assertThat(dashboard.browser().findElements(By.cssSelector("dialog input:out-of-range")))
			.containsExactly(field);
		dashboard.focused().sendKeys(Keys.ESCAPE);
		assertThat(state(id)).isEqualTo(JobState.READY);
	}

	@Test
	void jobIsMovedToAnotherQueue() {
		String id = enqueue("bill", 3);
		dashboard.open("#/job/" + id);
		dashboard.click("main button", "Move");
		dashboard.awaitText("dialog", "Move bill?");
		dashboard.browser().findElement(By.cssSelector("dialog input")).sendKeys(" other ", Keys.ENTER);
		dashboard.awaitText(".said", "bill " + id + ": done");
		assertThat(administration.find(id).orElseThrow().queue()).isEqualTo("other");
	}

	@Test
	void jobIsCancelled() {
		String id = enqueue("bill", 4);
		dashboard.open("#/job/" + id);
		perform("Cancel", "A waiting job ends and does not run.", "bill " + id + ": cancelled");
		assertThat(state(id)).isEqualTo(JobState.CANCELLED);
	}

	@Test
	void actionOnTheSelectionLeavesTheOtherJobsOfThePage() {
		String ended = enqueue("bill", 13);
		String selected = enqueue("bill", 14);
		String other = enqueue("bill", 15);
		List.of(ended, selected, other).forEach((id) -> administration.move(id, "selected"));
		administration.cancel(ended);
		dashboard.open("#/queues/selected");
		dashboard.awaitText("main table", "[13]", "[14]", "[15]");
		assertThat(dashboard.browser().findElements(By.cssSelector("main th input"))).hasSize(2);
		assertThat(dashboard.browser()
			.executeScript("return new Set([...document.querySelectorAll('main .job a')]"
					+ ".map((job) => job.getBoundingClientRect().x)).size"))
			.isEqualTo(1L);
		dashboard.browser().findElement(By.cssSelector("main [aria-label='Select bill " + selected + "']")).click();
		dashboard.awaitText(".bulk", "1 job selected");
		dashboard.click(".bulk button", "Cancel");
		dashboard.awaitText("dialog", "Cancel bill?\n[14]");
		dashboard.click("dialog button", "Cancel");
		dashboard.awaitText(".said", "bill " + selected + ": cancelled");
		dashboard.awaitText(".bulk", "All that fit");
		assertThat(dashboard.text(".bulk")).doesNotContain("selected");
		assertThat(state(other)).isEqualTo(JobState.READY);
		administration.remove("selected");
	}

	@Test
	void allJobsThatFitAreMovedToAnotherQueue() {
		String fits = enqueue("bill", 16);
		administration.move(fits, "source");
		String later = enqueue("bill", 19);
		administration.move(later, "source");
		administration.reschedule(later, Instant.now().plusSeconds(3600));
		String other = enqueue("bill", 17);
		openAllThatFit("#/queues/source?state=ready", "Move all");
		dashboard.browser().findElement(By.cssSelector("dialog input")).sendKeys("target", Keys.ENTER);
		dashboard.awaitText(".said", "Move all: 1 done");
		assertThat(administration.find(fits).orElseThrow().queue()).isEqualTo("target");
		assertThat(administration.find(later).orElseThrow().queue()).isEqualTo("source");
		assertThat(administration.find(other).orElseThrow().queue()).isEqualTo("invoices");
		administration.remove("source");
		administration.remove("target");
	}

	@Test
	void allJobsThatFitAreRescheduledToALocalTime() {
		String id = enqueue("bill", 18);
		administration.move(id, "source");
		openAllThatFit("#/queues/source", "Reschedule all");
		type("2100-01-02T03:04");
		dashboard.click("dialog button", "Reschedule all");
		dashboard.awaitText(".said", "Reschedule all: 1 done");
		assertThat(administration.find(id).orElseThrow().startAt()).isEqualTo(instantOf("2100-01-02T03:04"));
		administration.remove("source");
	}

	@Test
	void cancellationOfARunningJobStatesThatItsBodyContinues() {
		String id = enqueue("bill", 8);
		administration.move(id, "running");
		try (JobConsumer consumer = application.getBean(JobConsumers.class).open("test", "running")) {
			ConsumedJob job = consumer.poll().orElseThrow();
			dashboard.open("#/job/" + id);
			perform("Cancel", "A running job is only notified. Its body goes on until it checks for the cancellation",
					"bill " + id + ": cancelled while it runs; its body has to stop");
			assertThat(job.isLost()).isFalse();
			assertThat(job.succeed()).isTrue();
		}
		assertThat(state(id)).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void queueIsPausedBeforeItsFirstJobThenResumedAndRemoved() {
		dashboard.open("#/queues");
		dashboard.click("main button", "Pause a queue without jobs");
		dashboard.awaitText("dialog", "Pause a queue that has no job yet?");
		dashboard.browser().findElement(By.cssSelector("dialog input")).sendKeys(" eu:later ", Keys.ENTER);
		dashboard.awaitText(".said", "paused");
		assertThat(administration.counts("eu:later").paused()).isTrue();
		dashboard.open("#/queues");
		dashboard.click("main tbody a", "eu:later");
		perform("Resume", "Resume queue eu:later?", "eu:later: resumed");
		assertThat(administration.counts("eu:later").paused()).isFalse();
		String id = enqueue("bill", 5);
		administration.move(id, "eu:later");
		dashboard.awaitText("main", "bill");
		perform("Remove", "1 waiting job is removed and will not run.", "eu:later: removed, 1 waiting job with it");
		assertThat(state(id)).isEqualTo(JobState.REMOVED);
	}

	@Test
	void focusIsOnTheContentAfterAResultIsClosed() {
		String id = enqueue("bill", 9);
		dashboard.open("#/job/" + id);
		perform("Cancel", "A waiting job ends and does not run.", "bill " + id + ": cancelled");
		dashboard.browser().findElement(By.cssSelector(".said button")).sendKeys(Keys.ENTER);
		await().atMost(Duration.ofSeconds(20)).until(() -> dashboard.text(".said").isEmpty());
		assertThat(dashboard.focused().getTagName()).isEqualTo("main");
	}

	@Test
	void resultWithALongNameIsClosedOnANarrowScreen() {
		String queue = "x".repeat(100);
		String id = enqueue("bill", 10);
		administration.move(id, queue);
		Browser.resize(dashboard.browser(), 360, 800);
		try {
			dashboard.open("#/queues/" + queue);
			perform("Pause", "Pause queue " + queue, queue + ": paused");
			assertThat(dashboard.browser()
				.executeScript("return document.querySelector('.said button').getBoundingClientRect().right <= 360"))
				.isEqualTo(true);
			dashboard.click(".said button", "Close");
			await().atMost(Duration.ofSeconds(20)).until(() -> dashboard.text(".said").isEmpty());
		}
		finally {
			Browser.restore(dashboard.browser());
			administration.remove(queue);
		}
	}

	@Test
	void queueWhoseNameHasOnlySpacesIsNotPaused() {
		dashboard.open("#/queues");
		dashboard.click("main button", "Pause a queue without jobs");
		dashboard.awaitText("dialog", "Pause a queue that has no job yet?");
		dashboard.browser().findElement(By.cssSelector("dialog input")).sendKeys(" ", Keys.ENTER);
		assertThat(dashboard.browser().findElements(By.cssSelector("dialog input:invalid"))).hasSize(1);
		dashboard.focused().sendKeys(Keys.ESCAPE);
	}

	@Test
	void scheduleIsTriggeredPausedResumedAndRemoved() {
		Schedules schedules = application.getBean(Schedules.class);
		schedules.put(ScheduleRequest.every("nightly", Duration.ofMillis(86_430_500), JobRequest.of("bill", 6)));
		dashboard.open("#/schedules");
		dashboard.awaitText("main", "every 1 d 30 s 500 ms");
		perform("Trigger", "Trigger nightly now?", "nightly: enqueued as ");
		dashboard.click(".said a", dashboard.text(".said a"));
		dashboard.awaitText("main h1", "bill");
		dashboard.open("#/schedules");
		dashboard.awaitText("main", "nightly");
		perform("Pause", "Pause nightly?", "nightly: paused");
		assertThat(schedules.get("nightly").orElseThrow().paused()).isTrue();
		perform("Resume", "Resume nightly?", "nightly: resumed");
		assertThat(schedules.get("nightly").orElseThrow().paused()).isFalse();
		perform("Remove", "The schedule never fires again.", "nightly: removed");
		assertThat(schedules.get("nightly")).isEmpty();
	}

	@Test
	void scheduleThatEndsWithItsProcessIsRemoved() {
		Schedules schedules = application.getBean(Schedules.class);
		schedules
			.put(ScheduleRequest.every("watch", Duration.ofDays(1), JobRequest.of("bill", 6)).untilThisProcessEnds());
		dashboard.open("#/schedules");
		perform("Remove", "The schedule never fires again.", "watch: removed");
		assertThat(schedules.get("watch")).isEmpty();
	}

	@Test
	void refusalByAGuardIsShownWithItsReason() {
		Schedules schedules = application.getBean(Schedules.class);
		schedules.put(ScheduleRequest.every("suspended", Duration.ofDays(1), JobRequest.of("mail", "suspended")));
		dashboard.open("#/schedules");
		perform("Trigger", "Trigger suspended now?", "suspended: refused: tenant is suspended");
		schedules.remove("suspended");
	}

	@Test
	void leaseIsReleasedByForceAfterAWarning() {
		LeaseService leases = application.getBean(LeaseService.class);
		Lease lease = leases.tryAcquire("report", "may").orElseThrow();
		try {
			dashboard.open("#/leases");
			dashboard.click("main button[aria-label='Force release report [\"may\"]']", "Force release");
			dashboard.awaitText("dialog", "Take the lease of report from its holder?\n[\"may\"]",
					"another run may start beside it");
			dashboard.click("dialog button", "Force release");
			dashboard.awaitText(".said", "report [\"may\"]: released; it was held by ");
			assertThat(leases.find(lease.key())).isEmpty();
		}
		finally {
			lease.close();
		}
	}

	@Test
	void confirmationHasTheWholeKeyAndItsDigest() {
		LeaseService leases = application.getBean(LeaseService.class);
		String report = "line ".repeat(38);
		Lease lease = leases.tryAcquire("report", report).orElseThrow();
		try {
			dashboard.open("#/leases");
			dashboard.awaitText("main", "line line");
			dashboard.click("main button[aria-label='Force release report [\"" + report + "\"]']", "Force release");
			dashboard.awaitText("dialog .job", "Digest: " + lease.key().digest());
			assertThat(dashboard.focused().getText()).isEqualTo("Keep as it is");
			assertThat(dashboard.browser()
				.executeScript(
						"""
								const dialog = document.querySelector('dialog');
								const box = dialog.querySelector('.job');
								box.scrollTop = box.scrollHeight;
								const last = box.lastChild.getBoundingClientRect();
								const cut = [...box.children].filter((line) => line.scrollHeight > line.clientHeight);
								return [cut.length, last.bottom <= box.getBoundingClientRect().bottom + 1,
									dialog.getAttribute('aria-describedby').split(' ').every((id) => document.getElementById(id))].join();
								"""))
				.isEqualTo("0,true,true");
			dashboard.focused().sendKeys(Keys.ESCAPE);
		}
		finally {
			lease.close();
		}
	}

	@Test
	void bulkActionNamesItsFilters() {
		String id = enqueue("bill", 11);
		administration.reschedule(id, Instant.parse("2100-01-02T03:04:00Z"));
		String digest = application.getBean(UniqueJobs.class).keyOf("bill", 11).digest();
		dashboard.open("#/jobs?state=scheduled&key=" + digest + "&dueFrom=2100-01-01T00:00:00Z"
				+ "&dueUntil=2100-02-01T00:00:00%2B01:00");
		dashboard.click(".all summary", "All that fit");
		dashboard.click(".all button", "Cancel all");
		dashboard.awaitText("dialog h2",
				"Cancel all jobs that are scheduled of key " + digest.substring(0, 8) + " due from ", "2100",
				" and before ");
		dashboard.awaitText("dialog", "1 job fits");
		dashboard.focused().sendKeys(Keys.ESCAPE);
	}

	@Test
	void claimIsReleasedByForceAfterAWarning() {
		LeaseService leases = application.getBean(LeaseService.class);
		JobKey key = application.getBean(UniqueJobs.class).keyOf("bill", 77);
		String id = enqueue("bill", 77);
		leases.claim(key, Duration.ofHours(1));
		dashboard.open("#/job/" + id);
		dashboard.click("main button", "Force release");
		dashboard.awaitText("dialog", "Release the claim of bill before its period has passed?\n[77]",
				"the job can run again in this period");
		dashboard.click("dialog button", "Force release");
		dashboard.awaitText(".said", "bill [77]: released; it was held by ");
		assertThat(leases.findClaim(key)).isEmpty();
	}

	/**
	 * Clicks the button of an action, then the same one in the question, and waits for
	 * the result.
	 */
	private static void perform(String action, String question, String result) {
		dashboard.click("main button", action);
		dashboard.awaitText("dialog", question);
		dashboard.click("dialog button", action);
		dashboard.awaitText(".said", result);
	}

	private static void openAllThatFit(String view, String action) {
		dashboard.open(view);
		dashboard.click(".all summary", "All that fit");
		dashboard.click(".all button", action);
		dashboard.awaitText("dialog", "1 job fits");
	}

	/**
	 * Enters a local time into the field of the dialog.
	 */
	private static void type(String time) {
		dashboard.browser()
			.executeScript("const field = document.querySelector('dialog input'); field.value = arguments[0];"
					+ "field.dispatchEvent(new Event('input', {bubbles: true}))", time);
	}

	/**
	 * Returns the instant of a local time of the browser.
	 */
	private static Instant instantOf(String time) {
		return Instant
			.parse((String) dashboard.browser().executeScript("return new Date(arguments[0]).toISOString()", time));
	}

	private static String enqueue(String job, Object argument) {
		return ((EnqueueResult.Accepted) application.getBean(Jobs.class).enqueue(job, argument)).id();
	}

	private static JobState state(String id) {
		return administration.find(id).orElseThrow().state();
	}

}
