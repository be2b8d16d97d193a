package io.locket.dashboard.browser;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import io.locket.queue.EnqueueResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the dashboard in a browser, while responses are slow or do not come.
 */
@ExtendWith(BrowserCondition.class)
@Tag("scale")
class SlowResponsesTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	/**
	 * Bodies of problems that are not from the endpoint.
	 */
	private static final List<String> PROBLEMS_OF_OTHERS = List.of("", """
			{"status": 404, "error": "Not Found", "message": "No static resource", "path": "/"}""");

	/**
	 * Body of a problem of the endpoint.
	 */
	private static final String MISSING = """
			{"message": "There is no such job."}""";

	@AutoClose
	private static ConfigurableApplicationContext application;

	@AutoClose
	private static OpenDashboard dashboard;

	private static JobAdministration administration;

	private static HeldRequests requests;

	@BeforeAll
	static void start() {
		application = DashboardApplication.start("unrestricted");
		administration = application.getBean(JobAdministration.class);
		requests = application.getBean(HeldRequests.class);
		dashboard = new OpenDashboard(application, "#/");
	}

	@AfterEach
	void reset() {
		requests.passAll();
		dashboard.browser().get("about:blank");
		administration.queues().forEach(administration::remove);
	}

	@Test
	void stoppedActionStaysStoppedWhileTheNextOneRuns() {
		IntStream.range(0, 3).forEach((customer) -> schedule(customer));
		dashboard.open("#/queues/invoices?state=scheduled");
		dashboard.awaitText(".bulk", "Select this page");
		dashboard.browser().findElement(By.cssSelector(".bulk input")).click();
		dashboard.awaitText(".bulk", "3 jobs selected");
		requests.hold("POST");
		confirm(".bulk button", "Run now");
		awaitHeld(1);
		dashboard.click("dialog button", "Stop");
		dashboard.awaitText(".said", "Run now: waiting for the last response …");
		dashboard.click(".bulk button", "Cancel");
		dashboard.awaitText("dialog", "Cancel 3 jobs?", "Keep as it is");
		dashboard.click("dialog button", "Cancel");
		awaitHeld(2);
		requests.passOne();
		dashboard.awaitText(".said", "Run now: 1 done, stopped after 1 job");
		dashboard.awaitText("dialog", "0 of 3 jobs", "Stop");
		requests.passAll();
		dashboard.awaitText(".said", "Run now: 1 done, stopped after 1 job · Cancel: 3 cancelled");
		assertThat(requests.arrived()).filteredOn((name) -> name.contains("/run-now")).hasSize(1);
	}

	@Test
	void actionThatIsConfirmedTwiceIsSentOnce() {
		String id = schedule(1);
		dashboard.open("#/job/" + id);
		requests.hold("POST");
		confirm("main button", "Cancel");
		awaitHeld(1);
		dashboard.click("dialog button", "Cancel");
		requests.passOne();
		dashboard.awaitText(".said", "bill " + id + ": cancelled");
		assertThat(requests.arrived()).hasSize(1);
	}

	@Test
	void jobThatIsGoneDoesNotStopAnActionOnOthers() {
		List<String> ids = IntStream.range(0, 3).mapToObj(SlowResponsesTests::schedule).toList();
		dashboard.open("#/queues/invoices?state=scheduled");
		dashboard.awaitText(".bulk", "Select this page");
		dashboard.browser().findElement(By.cssSelector(".bulk input")).click();
		requests.refuse("POST /actuator/locket/jobs/" + ids.get(1), HttpStatus.NOT_FOUND, MISSING);
		confirm(".bulk button", "Cancel");
		dashboard.awaitText(".said", "2 cancelled", "1 not there any more");
	}

	@Test
	void bulkActionContinuesAfterAFailure() {
		holdTheSecondStepOfCancelAll(700, "700 jobs fit");
		requests.refuseAll();
		dashboard.awaitText("dialog", "Redis does not respond.");
		requests.hold("POST");
		dashboard.click("dialog button", "Cancel all");
		awaitHeld(1);
		assertThat(requests.arrived().get(0)).contains("cursor=");
		requests.passAll();
		dashboard.awaitText(".said", "Cancel all: 700 done");
	}

	@Test
	void responseToAnEarlierRequestDoesNotReplaceALaterOne() {
		schedule(1);
		dashboard.open("#/queues");
		dashboard.awaitText("main", "Pause");
		dashboard.browser().executeScript("""
				const send = window.fetch;
				window.fetch = async (address, options) => {
					const response = await send(address, options);
					if (!window.passFirst) {
						const body = await response.text();
						response.text = async () => body;
						await new Promise((pass) => window.passFirst = pass);
					}
					return response;
				};
				""");
		refresh();
		awaitFunction("passFirst");
		administration.pause("invoices");
		try {
			refresh();
			dashboard.awaitText("main", "Resume");
			// A task of the browser ends after the promises before it.
			dashboard.browser().executeAsyncScript("window.passFirst(); setTimeout(arguments[0])");
			assertThat(dashboard.text("main")).contains("Resume");
			assertThat(dashboard.text(".banner")).isEmpty();
		}
		finally {
			administration.resume("invoices");
		}
	}

	@Test
	void pageIsNotRefreshedWhileItIsHidden() {
		dashboard.open("#/workers");
		dashboard.awaitText("main", "serves this page");
		dashboard.browser().executeScript("""
				const send = window.fetch;
				const wait = window.setTimeout;
				window.sent = 0;
				window.fetch = (address, options) => {
					window.sent++;
					return send(address, options);
				};
				window.setTimeout = (task, delay) => delay === 2000 ? window.repeat = task : wait(task, delay);
				""");
		refresh();
		awaitFunction("repeat");
		assertThat(dashboard.browser().executeScript("""
				Object.defineProperty(document, 'hidden', {value: true, configurable: true});
				window.repeat();
				document.dispatchEvent(new Event('visibilitychange'));
				const hidden = window.sent;
				delete document.hidden;
				document.dispatchEvent(new Event('visibilitychange'));
				return hidden + ',' + window.sent;
				""")).isEqualTo("1,2");
	}

	@Test
	void pageOfAJobWhoseRecordWasDeletedReportsIt() {
		String id = schedule(1);
		dashboard.open("#/job/" + id);
		dashboard.awaitText("main", "Arguments");
		requests.refuse("GET /actuator/locket/summary/" + id, HttpStatus.NOT_FOUND, MISSING);
		refresh();
		dashboard.awaitText("main", "There is no such job, or its record was deleted after its end.");
		assertThat(dashboard.text("main")).doesNotContain("Arguments");
	}

	@Test
	void pageOfALoginInsteadOfDataIsAnExpiredSession() {
		dashboard.open("#/workers");
		dashboard.awaitText("main", "serves this page");
		dashboard.browser()
			.executeScript("window.fetch = async () => new Response('<form></form>',"
					+ " {headers: {'Content-Type': 'text/html'}})");
		refresh();
		dashboard.awaitText(".banner", "Your session has expired.");
		assertThat(dashboard.text("main")).contains("serves this page");
	}

	@Test
	void failureOfARequestIsReportedAfterItsDialogIsClosed() {
		String id = schedule(1);
		dashboard.open("#/job/" + id);
		requests.hold("POST");
		confirm("main button", "Cancel");
		awaitHeld(1);
		dashboard.click("dialog button", "Close");
		dashboard.awaitText(".said", "bill " + id + ": waiting for the last response …");
		requests.refuseAll();
		dashboard.awaitText(".said", "bill " + id + ": Redis does not respond.");
		assertThat(administration.find(id).orElseThrow().state()).isEqualTo(JobState.SCHEDULED);
	}

	@Test
	void viewHasNoCountBeforeItsResponse() {
		for (String view : List.of("schedules", "leases", "workers")) {
			dashboard.browser().get("about:blank");
			requests.hold("GET /actuator/locket/summary/" + view);
			dashboard.open("#/" + view);
			dashboard.awaitText("main", "Loading …");
			assertThat(dashboard.browser().findElements(By.cssSelector("main .count"))).as(view).isEmpty();
			requests.passAll();
			await().atMost(PATIENCE)
				.until(() -> !dashboard.browser().findElements(By.cssSelector("main .count")).isEmpty());
		}
	}

	@Test
	void failedActionLeavesTheFocusOnItsButton() {
		String id = schedule(1);
		dashboard.open("#/job/" + id);
		requests.hold("POST");
		confirm("main button", "Cancel");
		awaitHeld(1);
		requests.refuseAll();
		dashboard.awaitText("dialog", "Redis does not respond.");
		assertThat(dashboard.focused().getText()).isEqualTo("Cancel");
		dashboard.click("dialog button", "Cancel");
		dashboard.awaitText(".said", "bill " + id + ": cancelled");
	}

	@Test
	void actionThatAProxyRefusesIsNotDone() {
		String id = schedule(1);
		dashboard.open("#/job/" + id);
		dashboard.awaitText("main", "Arguments");
		for (String body : PROBLEMS_OF_OTHERS) {
			requests.refuse("POST", HttpStatus.NOT_FOUND, body);
			confirm("main button", "Cancel");
			dashboard.awaitText("dialog", "There is no endpoint at /actuator/locket.");
			requests.refuse("POST", HttpStatus.SERVICE_UNAVAILABLE, body);
			dashboard.click("dialog button", "Cancel");
			dashboard.awaitText("dialog", "is not available (status 503).");
			dashboard.focused().sendKeys(Keys.ESCAPE);
		}
		assertThat(dashboard.text(".said")).isEmpty();
		requests.passAll();
		confirm("main button", "Cancel");
		dashboard.awaitText(".said", "bill " + id + ": cancelled");
	}

	@Test
	void actionThatIsForbiddenIsDimmedWithTheReasonUntilItSucceeds() {
		schedule(1);
		dashboard.open("#/queues/invoices");
		dashboard.awaitText("main", "bill");
		requests.refuse("POST", HttpStatus.FORBIDDEN, PROBLEMS_OF_OTHERS.get(0));
		confirm("main button", "Pause");
		dashboard.awaitText("dialog", "You are not allowed to do this");
		dashboard.focused().sendKeys(Keys.ESCAPE);
		requests.passAll();
		String refused = "main .one button.refused[title*='refused this action to your user (403)']";
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(dashboard.browser().findElements(By.cssSelector(refused)))
				.extracting(WebElement::getText)
				.containsExactly("Pause"));
		confirm("main button", "Pause");
		dashboard.awaitText("main h1", "paused");
		confirm("main button", "Resume");
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(dashboard.browser().findElements(By.cssSelector("main .one button")))
				.filteredOn((button) -> button.getText().equals("Pause"))
				.singleElement()
				.satisfies((button) -> assertThat(button.getAttribute("title")).isNullOrEmpty()));
	}

	@Test
	void problemOfAViewWithoutDataIsShownOnce() {
		requests.refuse("GET /actuator", HttpStatus.SERVICE_UNAVAILABLE, PROBLEMS_OF_OTHERS.get(0));
		dashboard.open("#/jobs");
		dashboard.awaitText(".banner", "is not available (status 503).");
		dashboard.awaitText("main", "There is no data yet.");
		assertThat(dashboard.text("main")).doesNotContain("is not available");
	}

	@Test
	void dataStaysWhileAProxyRefusesReads() {
		String id = schedule(1);
		for (String view : List.of("job/" + id, "leases")) {
			for (String body : PROBLEMS_OF_OTHERS) {
				dashboard.open("#/" + view);
				dashboard.awaitText("header", "Live");
				requests.refuse("GET /actuator", HttpStatus.NOT_FOUND, body);
				refresh();
				dashboard.awaitText(".banner", "There is no endpoint at /actuator/locket.", "This data is from");
				assertThat(dashboard.text("header")).doesNotContain("Live");
				assertThat(dashboard.text("main")).doesNotContain("There is no such", "This process has no");
				requests.refuse("GET /actuator", HttpStatus.SERVICE_UNAVAILABLE, body);
				refresh();
				dashboard.awaitText(".banner", "is not available (status 503).", "This data is from");
				requests.passAll();
				refresh();
			}
		}
		dashboard.open("#/job/" + id);
		dashboard.awaitText("main", "Arguments");
		dashboard.open("#/job/missing");
		dashboard.awaitText("main", "There is no such job");
		dashboard.awaitText("header", "Live");
	}

	@Test
	void pageKeepsItsPlaceWhileAFilterIsApplied() {
		jobs().enqueueAll(IntStream.range(0, 60).mapToObj((customer) -> JobRequest.of("bill", customer)).toList());
		dashboard.open("#/queues/invoices");
		dashboard.awaitText("[aria-label=Jobs]", "bill");
		requests.hold("GET /actuator/locket/summary/jobs");
		dashboard.browser().executeScript("window.scrollTo(0, 250); document.querySelector('.chip input').click()");
		dashboard.awaitText("main", "Loading …");
		assertThat(dashboard.browser().executeScript("return window.scrollY")).isEqualTo(250L);
	}

	private static void holdTheSecondStepOfCancelAll(int waiting, String counted) {
		jobs().enqueueAll(IntStream.range(0, waiting).mapToObj((customer) -> JobRequest.of("bill", customer)).toList());
		dashboard.open("#/queues/invoices");
		dashboard.click(".all summary", "All that fit");
		requests.hold("POST");
		dashboard.click(".all button", "Cancel all");
		dashboard.awaitText("dialog", counted);
		dashboard.click("dialog button", "Cancel all");
		requests.passOne();
		awaitHeld(2);
	}

	@Test
	void stepInWhichABulkActionIsStoppedCounts() {
		holdTheSecondStepOfCancelAll(1200, "1,200 jobs fit");
		dashboard.click("dialog button", "Stop");
		dashboard.awaitText(".said", "Cancel all: 500 done, waiting for the last response …");
		requests.passAll();
		dashboard.awaitText(".said", "Cancel all: 1,000 done, stopped after 1,000 jobs");
		assertThat(administration.counts("invoices").in(JobState.READY)).isEqualTo(200);
	}

	@Test
	void bulkActionIsConfirmedOnlyAfterItsJobsAreCounted() {
		IntStream.range(0, 3).forEach((customer) -> schedule(customer));
		dashboard.open("#/queues/invoices");
		dashboard.click(".all summary", "All that fit");
		requests.hold("/jobs/count");
		dashboard.click(".all button", "Run now all");
		awaitHeld(1);
		assertThat(dashboard.focused().getText()).isEqualTo("Keep as it is");
		dashboard.click("dialog button", "Run now all");
		assertThat(dashboard.browser().findElements(By.cssSelector("dialog progress"))).isEmpty();
		requests.refuseAll();
		dashboard.awaitText("dialog", "The jobs have not been counted.", "Redis does not respond.");
		requests.hold("/jobs/run-now");
		dashboard.click("dialog button", "Count again");
		dashboard.awaitText("dialog", "3 jobs fit");
		assertThat(requests.arrived()).isEmpty();
		assertThat(dashboard.text("dialog")).doesNotContain("Redis does not respond.");
		dashboard.click("dialog button", "Run now all");
		awaitHeld(1);
		requests.passAll();
		dashboard.awaitText(".said", "Run now all: 3 done");
	}

	@Test
	void countOfAnEarlierDialogIsNotShownInTheNextOne() {
		schedule(1);
		jobs().enqueue("bill", 2);
		dashboard.open("#/queues/invoices");
		dashboard.click(".all summary", "All that fit");
		requests.hold("running");
		dashboard.click(".all button", "Cancel all");
		awaitHeld(1);
		dashboard.awaitText("dialog", "Counting …");
		dashboard.click("dialog button", "Keep as it is");
		dashboard.click(".all button", "Run now all");
		dashboard.awaitText("dialog", "1 job fits");
		requests.passAll();
		await().atMost(PATIENCE).until(() -> received("jobs/count") == 2);
		assertThat(dashboard.text("dialog")).contains("1 job fits");
	}

	@Test
	void readWithoutAResponseFailsAndHoldsUpNoOtherView() {
		jobs().enqueue("bill", 1);
		dashboard.open("#/");
		dashboard.awaitText("main", "invoices");
		dashboard.browser().executeScript("""
				window.expire = [];
				AbortSignal.timeout = (ms) => {
					const controller = new AbortController();
					window.expire.push(() => controller.abort());
					return controller.signal;
				};
				""");
		requests.hold("GET /actuator/locket/summary/queues");
		dashboard.open("#/queues");
		awaitHeld(1);
		dashboard.open("#/workers");
		dashboard.awaitText("main", "serves this page");
		dashboard.open("#/queues");
		awaitHeld(2);
		dashboard.browser().executeScript("window.expire.forEach((expire) => expire())");
		dashboard.awaitText(".banner", "The application does not respond.");
		assertThat(dashboard.text("header")).doesNotContain("Live");
		requests.passAll();
		dashboard.click(".banner button", "Try again");
		dashboard.awaitText("main", "invoices");
		dashboard.awaitText("header", "Live");
	}

	@Test
	void viewIsLoadedWhileUpdatesArePaused() {
		jobs().enqueue("bill", 1);
		dashboard.open("#/");
		dashboard.awaitText("main", "invoices");
		dashboard.click("header button", "Pause updates");
		dashboard.awaitText("header", "As of");
		dashboard.open("#/workers");
		dashboard.awaitText("main", "serves this page");
		dashboard.open("#/jobs?state=ready");
		dashboard.awaitText("main", "bill");
		dashboard.awaitText("header", "As of");
	}

	@Test
	void viewIsRefreshedWhenUpdatesAreResumed() {
		dashboard.open("#/workers");
		dashboard.awaitText("main", "serves this page");
		dashboard.browser().executeScript("""
				const wait = window.setTimeout;
				window.setTimeout = (task, delay) => delay === 2000 ? 0 : wait(task, delay);
				""");
		refresh();
		dashboard.click("header button", "Pause updates");
		requests.hold("GET /actuator/locket/summary/workers");
		dashboard.click("header button", "Resume updates");
		awaitHeld(1);
		requests.passAll();
		dashboard.awaitText("header", "Live");
	}

	@Test
	void responseThatEndsEarlyIsNoData() {
		dashboard.open("#/workers");
		dashboard.awaitText("main", "serves this page");
		requests.refuse("GET /actuator", HttpStatus.OK, "{\"overview\":");
		refresh();
		dashboard.awaitText(".banner", "The application does not respond.");
		assertThat(dashboard.text("main")).contains("serves this page");
	}

	@Test
	void resultOfABulkActionHasTheRefusedJobs() {
		schedule(1);
		dashboard.open("#/queues/invoices");
		dashboard.click(".all summary", "All that fit");
		requests.refuse("POST", HttpStatus.OK, """
				{"matched": 6, "done": 3, "flagged": 2, "refused": 1}""");
		dashboard.click(".all button", "Cancel all");
		dashboard.awaitText("dialog", "1 job fits");
		dashboard.click("dialog button", "Cancel all");
		dashboard.awaitText(".said", "Cancel all: 3 done, 2 cancelled while they run, 1 refused, because");
	}

	@Test
	void verificationFromBeforeARepairIsNotShownAfterIt() {
		dashboard.open("#/check");
		dashboard.browser().executeScript("""
				const send = window.fetch;
				window.fetch = async (address, options) => {
					const response = await send(address, options);
					if (address.includes('/violations?')) {
						const body = await response.text();
						response.text = async () => body;
						await new Promise((pass) => window.passVerification = pass);
					}
					return response;
				};
				""");
		dashboard.click("main button", "Verify");
		awaitFunction("passVerification");
		confirm("main button", "Repair");
		dashboard.awaitText(".said", "no violations found");
		// A task of the browser ends after the promises before it.
		dashboard.browser().executeAsyncScript("window.passVerification(); setTimeout(arguments[0])");
		assertThat(dashboard.text("main")).doesNotContain("There are no violations.");
	}

	private static void confirm(String selector, String action) {
		dashboard.click(selector, action);
		dashboard.click("dialog button", action);
	}

	/**
	 * Refreshes the page at once, as when it becomes visible.
	 */
	private static void refresh() {
		dashboard.browser().executeScript("document.dispatchEvent(new Event('visibilitychange'))");
	}

	private static void awaitHeld(int times) {
		await().atMost(PATIENCE).until(() -> requests.arrived().size() >= times);
	}

	/**
	 * Waits until the page has stored a function for the test.
	 */
	private static void awaitFunction(String name) {
		await().atMost(PATIENCE)
			.until(() -> Boolean.TRUE
				.equals(dashboard.browser().executeScript("return Boolean(window[arguments[0]])", name)));
	}

	/**
	 * Returns the number of responses that the page has received.
	 */
	private static int received(String path) {
		return ((List<?>) dashboard.browser()
			.executeScript("return performance.getEntriesByType('resource').map((entry) => entry.name)")).stream()
			.filter((name) -> name.toString().contains(path))
			.toList()
			.size();
	}

	private static String schedule(int customer) {
		String id = ((EnqueueResult.Accepted) jobs().enqueue("bill", customer)).id();
		administration.reschedule(id, Instant.now().plusSeconds(3600));
		return id;
	}

	private static Jobs jobs() {
		return application.getBean(Jobs.class);
	}

}
