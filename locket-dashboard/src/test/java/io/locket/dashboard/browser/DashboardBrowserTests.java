package io.locket.dashboard.browser;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

import io.locket.JobState;
import io.locket.dashboard.InMemoryLocket;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import io.locket.job.administration.WorkerControl;
import io.locket.queue.memory.InMemoryJobQueue;
import io.locket.queue.memory.InMemoryQueueDriver;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.Schedules;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogType;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the dashboard in a browser, for an operator who has logged in.
 */
@ExtendWith(BrowserCondition.class)
@Tag("browser")
class DashboardBrowserTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final int MAX_TABS = 60;

	@AutoClose
	private static ConfigurableApplicationContext application;

	@AutoClose("quit")
	private static ChromeDriver browser;

	@BeforeAll
	static void start() {
		application = DashboardApplication.start("unrestricted");
		browser = Browser.start();
	}

	@BeforeEach
	void logIn() {
		JobAdministration administration = application.getBean(JobAdministration.class);
		administration.queues().forEach(administration::remove);
		administration.list(JobFilter.inState(JobState.DEAD), 100, null)
			.jobs()
			.forEach((job) -> administration.dismiss(job.id()));
		Browser.restore(browser);
		browser.manage().logs().get(LogType.BROWSER);
		DashboardLogin.logIn(browser, application, "#/");
	}

	@Test
	void overviewFollowsWhatHappens() {
		assertThat(text("main")).contains("Ready");
		jobs().enqueue("bill", 42);
		await().atMost(Duration.ofSeconds(5))
			.untilAsserted(() -> assertThat(text("main")).contains("1 waits", "invoices"));
	}

	@Test
	void stringsOfUsersAreText() {
		die(DashboardApplication.HOSTILE);
		open("#/jobs?state=dead");
		awaitText("main", "Refused: " + DashboardApplication.HOSTILE);
		browser.findElement(By.cssSelector("main .job a")).click();
		awaitText("main", "Last error");
		assertThat(browser.findElements(By.cssSelector("main img"))).isEmpty();
		assertThat(browser.getTitle()).doesNotContain("owned");
	}

	@Test
	void jobThatWaitsForARetryHasItsReason() {
		jobs().enqueue("remind", "nobody");
		open("#/jobs?state=retry");
		awaitText("main", "after a failed attempt, due in ");
		browser.findElement(By.cssSelector("main .job a")).click();
		awaitText("main .facts", "1 min 30 s");
	}

	@Test
	void nameOfAViewIsNoJob() {
		open("#/job/queues");
		awaitText("main", "There is no such job, or its record was deleted after its end.");
	}

	@Test
	void failedAttemptsAreShownWithTheirStackTraces() {
		die(DashboardApplication.HOSTILE);
		open("#/jobs?state=dead");
		awaitText("main", "Refused: ");
		browser.findElement(By.cssSelector("main .job a")).click();
		awaitText(".attempts", "Refused: " + DashboardApplication.HOSTILE);
		assertThat(text(".attempts")).doesNotContain("\tat ").doesNotContain("Billing.mail(");
		browser.findElement(By.cssSelector(".attempts summary")).click();
		awaitText(".attempts", "Billing.mail(DashboardApplication.java:");
		assertThat(browser.findElements(By.cssSelector("main img"))).isEmpty();
		assertThat(browser.getTitle()).doesNotContain("owned");
	}

	@Test
	void lastHourIsShownAsLines() {
		InMemoryJobQueue queue = application.getBean(InMemoryJobQueue.class);
		queue.countMinute();
		for (int i = 0; i < 3; i++) {
			die("minute " + i);
			new InMemoryQueueDriver(queue).letPass(Duration.ofMinutes(1),
					() -> application.getBean(InMemoryLocket.ShiftedClock.class).advance(Duration.ofMinutes(1)));
			queue.countMinute();
		}
		open("#/");
		await().atMost(PATIENCE).untilAsserted(() -> {
			long failed = queue.throughput(60).stream().mapToLong((sample) -> sample.total().failedAttempts()).sum();
			assertThat(failed).isPositive();
			assertThat(text(".throughput")).contains(String.format(Locale.ROOT, "%,d attempt", failed));
		});
		assertThat(browser.findElements(By.cssSelector(".throughput svg polyline"))).hasSize(2);
		assertThat(browser.findElement(By.cssSelector(".throughput svg.failed")).getDomAttribute("aria-label"))
			.contains("failed in the last ");
		open("#/queues");
		awaitText("main", "mail");
		assertThat(browser.findElements(By.cssSelector("main tbody svg"))).isNotEmpty();
	}

	@Test
	void workerIsQuietedAfterAQuestionAndResumed() {
		JobAdministration administration = application.getBean(JobAdministration.class);
		open("#/workers");
		awaitText("main", "Quiet");
		Browser.click(browser, "main button", "Quiet");
		awaitText("dialog", "Its workers take no new jobs");
		assertThat(administration.workers().get(0).quiet()).isFalse();
		Browser.click(browser, "dialog button", "Quiet");
		awaitText(".said", "quiet: takes no new jobs");
		assertThat(administration.workers().get(0).quiet()).isTrue();
		awaitText("main .state", "quiet");
		jobs().enqueue("bill", 7);
		open("#/");
		awaitText(".verdict", "All workers are quiet, and 1 job is ready.");
		open("#/workers");
		awaitText("main .state", "quiet");
		Browser.click(browser, "main button", "Resume");
		awaitText("dialog", "Its workers take jobs again.");
		Browser.click(browser, "dialog button", "Resume");
		awaitText(".said", "resumed");
		assertThat(administration.workers().get(0).quiet()).isFalse();
	}

	@Test
	void dueJobThatNoWorkerMakesReadyIsAProblem() {
		open("#/");
		Object text = browser.executeAsyncScript("""
				const done = arguments[arguments.length - 1];
				const totals = {ready: 0, deadLetters: 0, retry: 0, oldestWaitingMs: 5};
				const overview = {time: '2026-01-01T00:05:00Z', totals, queues: []};
				import(new URL('verdict.js', document.querySelector('script[type=module]').src))
					.then((verdict) => verdict.findings(overview, [{lastSeen: '2026-01-01T00:00:00Z'}], []))
					.then((found) => done(found.map((finding) => finding.text).join()));
				""");
		assertThat(text).isEqualTo("No worker takes jobs, and jobs wait.");
	}

	@Test
	void deadLetterIsRequeuedByTheKeyboardAlone() {
		die("nobody");
		open("#/jobs?state=dead");
		awaitText("main", "Refused: nobody");
		browser.findElement(By.cssSelector("main .job a")).sendKeys(Keys.ENTER);
		awaitText("main", "Last error");
		browser.executeScript("document.activeElement.blur()");
		tabTo("Requeue");
		browser.switchTo().activeElement().sendKeys(Keys.ENTER);
		awaitText("dialog", "Requeue mail?");
		assertThat(browser.switchTo().activeElement().getText()).isEqualTo("Requeue");
		browser.switchTo().activeElement().sendKeys(Keys.ENTER);
		awaitText(".said", "enqueued as");
		awaitText("main", "Requeued as");
		assertThat(text("main")).doesNotContain("Requeue\n", "Dismiss");
	}

	@Test
	void jobsOfAPageAreCancelledTogether() {
		for (int i = 0; i < 3; i++) {
			jobs().enqueue("bill", i);
		}
		open("#/queues/invoices");
		awaitText("main", "Select this page");
		browser.findElement(By.cssSelector(".bulk input")).click();
		awaitText(".bulk", "3 jobs selected");
		Browser.click(browser, ".bulk button", "Cancel");
		awaitText("dialog", "Cancel 3 jobs?");
		Browser.click(browser, "dialog button", "Cancel");
		awaitText(".said", "3 cancelled");
		assertThat(application.getBean(JobAdministration.class).counts("invoices").in(JobState.READY)).isZero();
	}

	@Test
	void allJobsOfAFilterAreUpdatedInSteps() {
		int many = 1200;
		for (int i = 0; i < many; i++) {
			jobs().enqueue("bill", i);
		}
		jobs().enqueue(EnqueueOptions.now().queue("other"), "bill", many);
		open("#/queues/invoices");
		awaitText("main", "All that fit");
		browser.findElement(By.cssSelector(".all summary")).click();
		Browser.click(browser, ".all button", "Cancel all");
		awaitText("dialog", "1,200 jobs fit");
		Browser.click(browser, "dialog button", "Cancel all");
		awaitText(".said", "Cancel all: 1,200 done");
		assertThat(application.getBean(JobAdministration.class).counts("invoices").in(JobState.READY)).isZero();
		assertThat(application.getBean(JobAdministration.class).counts("other").in(JobState.READY)).isOne();
	}

	@Test
	@Tag("scale")
	void thousandsOfDeadLettersAreRequeuedTogether() {
		int many = 5000;
		for (int i = 0; i < many; i++) {
			jobs().enqueue("mail", "letter " + i);
		}
		JobAdministration administration = application.getBean(JobAdministration.class);
		await().atMost(PATIENCE.multipliedBy(3)).until(() -> administration.counts("mail").deadLetters() == many);
		administration.pause("mail");
		try {
			open("#/jobs?state=dead");
			awaitText("main", "All that fit");
			browser.findElement(By.cssSelector(".all summary")).click();
			Browser.click(browser, ".all button", "Requeue all");
			awaitText("dialog", "5,000 jobs fit");
			Browser.click(browser, "dialog button", "Requeue all");
			await().atMost(PATIENCE.multipliedBy(3))
				.untilAsserted(() -> assertThat(text(".said")).contains("Requeue all: 5,000 done"));
			assertThat(administration.counts("mail").in(JobState.READY)).isEqualTo(many);
			assertThat(administration.counts("mail").deadLetters()).isZero();
		}
		finally {
			administration.remove("mail");
			administration.resume("mail");
		}
	}

	@Test
	void storedDataIsVerifiedOnRequest() {
		open("#/check");
		awaitText("main", "Verify");
		Browser.click(browser, "main button", "Verify");
		awaitText("main", "There are no violations.");
		assertThat(browser.switchTo().activeElement().getText()).isEqualTo("Verify");
		Browser.click(browser, "main button", "Repair");
		awaitText("dialog", "Repair the stored data?");
		Browser.click(browser, "dialog button", "Repair");
		awaitText(".said", "no violations found");
		assertThat(text("main")).doesNotContain("There are no violations.");
	}

	@Test
	void schedulesThatAreAllPausedLeaveNoEmptyTable() {
		Schedules schedules = application.getBean(Schedules.class);
		schedules.put(ScheduleRequest.every("nightly", Duration.ofDays(1), JobRequest.of("bill", 6)));
		schedules.pause("nightly");
		try {
			open("#/");
			awaitText("main", "Nothing is due to fire.");
			assertThat(browser.findElements(By.cssSelector("[aria-label='Next firings']"))).isEmpty();
			assertThat(text("main")).doesNotContain("No instance leads");
		}
		finally {
			schedules.remove("nightly");
		}
	}

	@Test
	void linksInTextAreUnderlined() {
		WorkerControl control = application.getBean(JobAdministration.class).workerControl();
		String instance = application.getBean(JobAdministration.class).workers().get(0).instance();
		control.quiet(instance);
		try {
			open("#/");
			awaitText(".verdict li", "All workers are quiet");
			assertThat(browser.findElement(By.cssSelector(".verdict li a")).getCssValue("text-decoration-line"))
				.isEqualTo("underline");
		}
		finally {
			control.resume(instance);
		}
	}

	@Test
	void jobThatWaitsAloneInAPausedQueueIsOne() {
		JobAdministration administration = application.getBean(JobAdministration.class);
		administration.pause("invoices");
		try {
			jobs().enqueue("bill", 1);
			open("#/");
			awaitText(".verdict", "Queue invoices is paused, and 1 waits in it.");
		}
		finally {
			administration.resume("invoices");
		}
	}

	@Test
	void manyProblemsAreCutShort() {
		JobAdministration administration = application.getBean(JobAdministration.class);
		List<String> queues = IntStream.range(10, 25).mapToObj((number) -> "paused" + number).toList();
		queues.forEach(administration::pause);
		try {
			open("#/");
			awaitText(".verdict", "15 problems");
			awaitText(".verdict", "5 more");
			assertThat(browser.findElements(By.cssSelector(".verdict li"))).hasSize(11);
		}
		finally {
			queues.forEach(administration::resume);
		}
	}

	@Test
	void jobsAreFoundByTheirArguments() {
		jobs().enqueue("bill", 17);
		jobs().enqueue("bill", 987654321);
		open("#/jobs");
		awaitText("main", "bill");
		browser.findElement(By.cssSelector(".filters input[name=text]")).sendKeys("987654321", Keys.ENTER);
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(browser.findElements(By.cssSelector("main tbody tr"))).hasSize(1));
		assertThat(text("main tbody")).contains("987654321");
		assertThat(browser.getCurrentUrl()).endsWith("text=987654321");
	}

	@Test
	void jobsAreFoundByTextWithSpecialCharacters() {
		String text = "50% + a&b=c #1?";
		die(text);
		die("50 + a");
		open("#/jobs?state=dead");
		awaitText("main", text);
		browser.findElement(By.cssSelector(".filters input[name=text]")).sendKeys(text, Keys.ENTER);
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(browser.findElements(By.cssSelector("main tbody tr"))).hasSize(1));
		assertThat(text("main tbody")).contains(text);
		browser.navigate().refresh();
		awaitText("main tbody", text);
		assertThat(browser.findElement(By.cssSelector(".filters input[name=text]")).getDomProperty("value"))
			.isEqualTo(text);
	}

	@Test
	void queueIsPausedAfterAQuestion() {
		jobs().enqueue("bill", 1);
		open("#/queues");
		awaitText("main", "invoices");
		Browser.click(browser, "main button", "Pause");
		awaitText("dialog", "Pause queue invoices?");
		assertThat(application.getBean(JobAdministration.class).counts("invoices").paused()).isFalse();
		Browser.click(browser, "dialog button", "Pause");
		awaitText(".said", "invoices: paused");
		assertThat(application.getBean(JobAdministration.class).counts("invoices").paused()).isTrue();
		application.getBean(JobAdministration.class).resume("invoices");
	}

	@Test
	void filtersAreInTheAddress() {
		jobs().enqueue("bill", 1);
		open("#/jobs");
		awaitText("main", "bill");
		Browser.click(browser, ".chip", "dead");
		awaitText("main", "No job fits these filters.");
		assertThat(browser.getCurrentUrl()).endsWith("#/jobs?state=dead");
		browser.navigate().back();
		awaitText("main", "bill");
	}

	@Test
	void expiredSessionIsShownAndTypedTextStays() {
		jobs().enqueue("bill", 1);
		open("#/jobs?state=ready");
		awaitText("main", "bill");
		browser.findElement(By.cssSelector("main .job a")).click();
		awaitText("main", "Arguments");
		Browser.click(browser, "main button", "Move");
		WebElement field = browser.findElement(By.cssSelector("dialog input"));
		field.sendKeys("slow");
		browser.manage().deleteAllCookies();
		field.sendKeys(Keys.ENTER);
		awaitText("dialog", "session has expired");
		assertThat(field.getDomProperty("value")).isEqualTo("slow");
		awaitText(".banner", "session has expired");
	}

	private static Jobs jobs() {
		return application.getBean(Jobs.class);
	}

	private static void die(String text) {
		jobs().enqueue("mail", text);
		await().atMost(PATIENCE)
			.until(() -> application.getBean(JobAdministration.class).counts("mail").deadLetters() > 0);
	}

	private static void open(String place) {
		browser.get(DashboardLogin.address(application) + place);
	}

	private static void tabTo(String label) {
		for (int i = 0; i < MAX_TABS && !browser.switchTo().activeElement().getText().equals(label); i++) {
			browser.switchTo().activeElement().sendKeys(Keys.TAB);
		}
	}

	private static String text(String selector) {
		List<WebElement> found = browser.findElements(By.cssSelector(selector));
		return found.isEmpty() ? "" : found.get(0).getText();
	}

	private static void awaitText(String selector, String text) {
		await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> assertThat(text(selector)).contains(text));
	}

}
