package io.locket.dashboard.browser;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.dashboard.InMemoryLocket;
import io.locket.job.EnqueueOptions;
import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import io.locket.queue.EnqueueResult;
import io.locket.queue.JobRecord;
import io.locket.schedule.Misfire;
import io.locket.schedule.ScheduleDefinition;
import io.locket.schedule.ScheduleOrigin;
import io.locket.schedule.ScheduleRequest;
import io.locket.schedule.ScheduleStore;
import io.locket.schedule.Schedules;
import io.locket.worker.consumer.ConsumedJob;
import io.locket.worker.consumer.JobConsumer;
import io.locket.worker.consumer.JobConsumers;
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
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what holds for every view in a browser.
 */
@ExtendWith(BrowserCondition.class)
@Tag("browser")
class ViewsBrowserTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	@AutoClose
	private static ConfigurableApplicationContext application;

	@AutoClose
	private static OpenDashboard dashboard;

	@BeforeAll
	static void start() {
		application = DashboardApplication.start("unrestricted");
		dashboard = new OpenDashboard(application, "#/");
	}

	@BeforeEach
	void restore() {
		Browser.restore(browser());
		browser().manage().logs().get(LogType.BROWSER);
	}

	@Test
	void nothingViolatesThePolicy() {
		die("nobody");
		for (String view : List.of("#/", "#/jobs", "#/queues", "#/queues/mail", "#/leases", "#/workers", "#/check")) {
			dashboard.open(view);
			dashboard.awaitText("header", "Live");
		}
		List<String> errors = browser().manage()
			.logs()
			.get(LogType.BROWSER)
			.getAll()
			.stream()
			.filter((entry) -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
			.map(LogEntry::getMessage)
			.toList();
		assertThat(errors).isEmpty();
	}

	@Test
	@Tag("scale")
	void pageWithoutOneOfItsScriptsIsNotBlank() {
		for (String script : List.of("preact.umd.js", "verdict.js")) {
			browser().executeCdpCommand("Network.enable", Map.of());
			browser().executeCdpCommand("Network.setBlockedURLs", Map.of("urls", List.of("*/" + script)));
			try {
				browser().get("about:blank");
				dashboard.open("#/");
				dashboard.awaitText("body", "one of its scripts has not loaded");
			}
			finally {
				browser().executeCdpCommand("Network.setBlockedURLs", Map.of("urls", List.of()));
				browser().executeCdpCommand("Network.disable", Map.of());
			}
		}
		browser().get("about:blank");
		dashboard.open("#/");
		dashboard.awaitText("header", "Live");
		assertThat(dashboard.text("body")).doesNotContain("one of its scripts has not loaded");
	}

	@Test
	@Tag("scale")
	void viewIsRefreshedByOneRequest() {
		for (String view : List.of("#/", "#/jobs", "#/queues/mail", "#/schedules", "#/leases", "#/workers")) {
			browser().get("about:blank");
			dashboard.open(view);
			dashboard.awaitText("header", "Live");
			browser().executeScript("performance.clearResourceTimings()");
			await().atMost(PATIENCE).until(() -> !requests().isEmpty());
			assertThat(requests()).as(view).hasSize(1);
		}
	}

	@Test
	void schedulesOfAnotherGroupNeedNoLeaderOfThisOne() {
		ScheduleStore store = application.getBean(ScheduleStore.class);
		store.put(List.of(schedule("theirs", "other")), null);
		try {
			dashboard.open("#/");
			dashboard.awaitText("main", "theirs");
			assertThat(dashboard.text("main")).doesNotContain("No instance leads");
			dashboard.open("#/schedules");
			dashboard.awaitText("main", "theirs");
			assertThat(dashboard.text("main")).doesNotContain("No instance leads");
			application.getBean(Schedules.class)
				.put(ScheduleRequest.every("ours", Duration.ofDays(1), JobRequest.of("bill", 6)));
			dashboard.awaitText("main", "No instance leads now, so nothing fires.");
			dashboard.open("#/");
			dashboard.awaitText("main", "No instance leads, so schedules do not fire.");
			assertThat(dashboard.text("main h1")).isEqualTo("Schedules do not fire");
		}
		finally {
			store.remove("theirs");
			store.remove("ours");
		}
	}

	private static ScheduleDefinition schedule(String name, String group) {
		return new ScheduleDefinition(name, group, "bill", "[6]", null, null, Duration.ofDays(1), ZoneOffset.UTC,
				Misfire.LATEST, null, true, null, ScheduleOrigin.PERSISTENT);
	}

	private static List<?> requests() {
		return (List<?>) browser().executeScript(
				"return performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => name.includes('/actuator/'))");
	}

	@Test
	void viewsAreAccessibleInLightAndDark() throws IOException {
		String axe = new ClassPathResource("axe.min.js").getContentAsString(StandardCharsets.UTF_8);
		jobs().enqueue("bill", 1);
		die("nobody");
		browser().executeCdpCommand("Page.setBypassCSP", Map.of("enabled", true));
		try {
			browser().get("about:blank");
			dashboard.open("#/");
			dashboard.awaitText("header", "Live");
			browser().executeScript(axe);
			new TreeMap<>(Map.of("#/", "Overview", "#/jobs", "Jobs", "#/queues/mail", "Queues", "#/schedules",
					"Schedules", "#/leases", "Leases", "#/workers", "Workers", "#/check", "Check"))
				.forEach((view, label) -> {
					dashboard.open(view);
					awaitView(label);
					assertThat(violationsIn("light")).as(view + " light").isEmpty();
					assertThat(violationsIn("dark")).as(view + " dark").isEmpty();
				});
		}
		finally {
			browser().executeCdpCommand("Page.setBypassCSP", Map.of("enabled", false));
			browser().executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
			browser().get("about:blank");
		}
	}

	/**
	 * Waits until a view has replaced another one, and has its data.
	 */
	private static void awaitView(String label) {
		await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
			assertThat(dashboard.text("nav [aria-current]")).isEqualTo(label);
			assertThat(dashboard.text("main")).isNotEmpty().doesNotContain("Loading …");
			assertThat(dashboard.text("header")).contains("Live");
		});
	}

	private static List<?> violationsIn(String scheme) {
		browser().executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
		return (List<?>) browser().executeAsyncScript("""
				const done = arguments[arguments.length - 1];
				axe.run().then((result) => done(result.violations.map((found) =>
					found.id + ': ' + found.nodes.map((node) => node.html).join('\\n'))));
				""");
	}

	@Test
	void linksToTheViewsKeepTheirPlaceInEachView() {
		dashboard.open("#/");
		assertThat(Stream.of("Overview", "Jobs", "Check").map((label) -> {
			dashboard.click("nav a", label);
			awaitView(label);
			return texts("[...document.querySelectorAll('nav a')].map((link) => link.getBoundingClientRect().x + '')");
		}).distinct()).hasSize(1);
	}

	@Test
	void narrowScreenScrollsInOneDirection() {
		die(DashboardApplication.HOSTILE + "x".repeat(300));
		Browser.resize(browser(), 320, 800);
		for (String view : List.of("#/", "#/jobs", "#/queues", "#/leases", "#/workers", "#/check")) {
			dashboard.open(view);
			dashboard.awaitText("header", "Live");
			assertThat(browser()
				.executeScript("return document.documentElement.scrollWidth - document.documentElement.clientWidth"))
				.as(view)
				.isEqualTo(0L);
		}
	}

	@Test
	void filtersKeepTheFocusAndApplyOnEnterOrWhenLeft() {
		jobs().enqueue("bill", 1);
		dashboard.open("#/jobs?dueFrom=2100-11-01T10:00:00.000Z");
		dashboard.awaitText("main", "No job fits these filters.");
		WebElement from = browser().findElement(By.name("dueFrom"));
		String year = from.getDomProperty("value").substring(0, 4);
		from.sendKeys("12");
		from.sendKeys("25");
		assertThat(from.getDomProperty("value")).startsWith(year + "-12-25T");
		assertThat(browser().getCurrentUrl()).contains("2100-11-01");
		from.sendKeys(Keys.ENTER);
		await().atMost(PATIENCE).until(() -> browser().getCurrentUrl().contains("2100-12-25"));
		assertThat(dashboard.focused()).isEqualTo(from);
		WebElement name = browser().findElement(By.name("job"));
		name.sendKeys("bill", Keys.ENTER);
		await().atMost(PATIENCE).until(() -> browser().getCurrentUrl().contains("job=bill"));
		assertThat(dashboard.focused()).isEqualTo(name);
		name.sendKeys("ing", Keys.TAB);
		await().atMost(PATIENCE).until(() -> browser().getCurrentUrl().contains("job=billing"));
		browser().navigate().back();
		await().atMost(PATIENCE).until(() -> name.getDomProperty("value").equals("bill"));
	}

	@Test
	void yearWithFiveDigitsIsInvalid() {
		dashboard.open("#/jobs?state=ready");
		dashboard.awaitText("main", "Due from");
		WebElement from = browser().findElement(By.name("dueFrom"));
		String border = from.getCssValue("border-color");
		browser().executeScript("arguments[0].value = '12345-01-02T03:04'", from);
		from.sendKeys(Keys.ENTER);
		from.sendKeys(Keys.TAB);
		assertThat(browser().getCurrentUrl()).endsWith("#/jobs?state=ready");
		assertThat(from.getCssValue("border-color")).isNotEqualTo(border);
		browser().executeScript("arguments[0].value = '9999-01-02T03:04'", from);
		from.sendKeys(Keys.ENTER);
		await().atMost(PATIENCE).until(() -> browser().getCurrentUrl().contains("dueFrom=9999-01-0"));
		browser().get("about:blank");
	}

	@Test
	void filterByAYearWithFiveDigitsStaysWhenItsFieldIsLeft() {
		dashboard.open("#/jobs?state=ready&dueUntil=%2B012345-01-02T03:04:00Z");
		dashboard.awaitText("main", "Due before");
		browser().executeScript("""
				const field = document.querySelector('[name=dueUntil]');
				field.focus();
				field.blur();
				""");
		assertThat(browser().getCurrentUrl()).endsWith("&dueUntil=%2B012345-01-02T03:04:00Z");
		browser().get("about:blank");
	}

	@Test
	void timeThatTheBrowserDoesNotHaveIsShownAsItIsWritten() {
		String id = ((EnqueueResult.Accepted) jobs().enqueue("bill", 1234)).id();
		JobAdministration administration = application.getBean(JobAdministration.class);
		administration.reschedule(id, Instant.now().plusSeconds(3600));
		try {
			dashboard.open("#/jobs?state=scheduled&dueUntil=%2B275761-01-02T03:04:00Z");
			dashboard.click(".all summary", "All that fit");
			dashboard.click(".all button", "Run now all");
			dashboard.awaitText("dialog h2", "due before +275761-01-02T03:04:00Z?");
			dashboard.focused().sendKeys(Keys.ESCAPE);
		}
		finally {
			administration.cancel(id);
		}
	}

	@Test
	void filterThatIsClearedAppliesNoLonger() {
		jobs().enqueue("bill", 1);
		dashboard.open("#/jobs?job=missing");
		dashboard.awaitText("main", "No job fits these filters.");
		browser().findElement(By.name("job")).sendKeys(Keys.ESCAPE);
		dashboard.awaitText("main", "bill");
		assertThat(browser().getCurrentUrl()).endsWith("#/jobs");
	}

	@Test
	void nextPageStartsAtItsTopAndOffersAllThatFit() {
		JobAdministration administration = application.getBean(JobAdministration.class);
		for (int i = 0; i < 60; i++) {
			administration.cancel(((EnqueueResult.Accepted) jobs().enqueue("bill", 1000 + i)).id());
		}
		dashboard.open("#/jobs?state=cancelled,ready");
		dashboard.click(".paging a", "Next page");
		dashboard.awaitText(".paging", "First page");
		dashboard.awaitText("main table", "cancelled");
		assertThat(dashboard.focused().getTagName()).isEqualTo("main");
		assertThat(browser().executeScript("return window.scrollY")).isEqualTo(0L);
		dashboard.awaitText(".bulk", "All that fit");
		dashboard.click(".chip", "ready");
		assertThat(browser().getCurrentUrl()).endsWith("#/jobs?state=cancelled");
	}

	@Test
	void timesAreByTheClockOfTheStore() {
		jobs().enqueue("bill", 3);
		browser().get("about:blank");
		Object script = browser()
			.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument",
					Map.of("source", "const now = Date.now; Date.now = () => now() + 7200000;"))
			.get("identifier");
		try {
			dashboard.open("#/jobs?job=bill&state=ready");
			dashboard.awaitText("main table", "[3]", "enqueued");
			assertThat(dashboard.text("main table")).doesNotContainPattern("enqueued \\d+ h");
		}
		finally {
			browser().executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", script));
			browser().get("about:blank");
		}
	}

	@Test
	void pageWhoseJobsHaveGoneHasNoFilterToBlame() {
		JobAdministration administration = application.getBean(JobAdministration.class);
		List<String> ids = IntStream.range(2000, 2060)
			.mapToObj((customer) -> jobs().enqueue(EnqueueOptions.now().queue("paged"), "bill", customer))
			.map((result) -> ((EnqueueResult.Accepted) result).id())
			.toList();
		try {
			dashboard.open("#/queues/paged");
			dashboard.click(".paging a", "Next page");
			dashboard.awaitText(".paging", "First page");
			dashboard.awaitText("main [aria-label=Jobs]", "bill");
			ids.forEach((id) -> administration.move(id, "gone"));
			dashboard.awaitText("main", "There are no more jobs on this page.");
			dashboard.open(browser().getCurrentUrl().replaceAll(".*#", "#") + "&state=ready");
			dashboard.awaitText("main", "No further job fits these filters.");
		}
		finally {
			administration.remove("paged");
			administration.remove("gone");
		}
	}

	@Test
	void argumentsKeepTheirDigitsWhenNumbersAreLarge() {
		EnqueueResult result = jobs().enqueue("archive", 9007199254740993L, new BigDecimal("0.12345678901234567890"));
		dashboard.open("#/job/" + ((EnqueueResult.Accepted) result).id());
		dashboard.awaitText("#arguments ~ pre", "9007199254740993", "0.12345678901234567890");
	}

	@Test
	void runThatEndedBeforeItsJobWasCancelledHasNoDurationUntilThen() {
		String id = ((EnqueueResult.Accepted) jobs().enqueue("remind", "cancelled")).id();
		JobAdministration administration = application.getBean(JobAdministration.class);
		await().atMost(PATIENCE).until(() -> administration.find(id).orElseThrow().state() == JobState.RETRY);
		administration.cancel(id);
		dashboard.open("#/job/" + id);
		dashboard.awaitText(".facts", "Started", "Ended");
		assertThat(dashboard.text(".facts")).doesNotContain("Took");
	}

	@Test
	void headingAndItsLinkHaveNamesOfTheirOwn() {
		die("nobody");
		dashboard.open("#/");
		dashboard.awaitText("#dead", "Dead letters");
		assertThat(browser().findElement(By.id("dead")).getAccessibleName()).matches("Dead letters \\d+");
		assertThat(browser().findElement(By.cssSelector("#dead + a")).getAccessibleName())
			.isEqualTo("Show all: Dead letters");
	}

	@Test
	void problemKeepsTheFocusWhileItsCountChanges() {
		die("first");
		dashboard.open("#/");
		String problem = ".verdict li a[href='#/jobs?state=dead']";
		dashboard.awaitText(problem, "dead letter");
		String before = dashboard.text(problem);
		WebElement link = browser().findElement(By.cssSelector(problem));
		browser().executeScript("arguments[0].focus()", link);
		jobs().enqueue("mail", "second");
		await().atMost(PATIENCE).untilAsserted(() -> assertThat(dashboard.text(problem)).isNotEqualTo(before));
		assertThat(dashboard.focused()).isEqualTo(link);
	}

	@Test
	@Tag("scale")
	void queueStaysCurrentWhileTheFilterOfItsJobsIsRefused() {
		JobAdministration administration = application.getBean(JobAdministration.class);
		jobs().enqueue("bill", 1);
		for (String filter : List.of("state=unknown", "cursor=unknown")) {
			browser().get("about:blank");
			dashboard.open("#/queues/invoices?" + filter);
			dashboard.awaitText("main > div > div > .empty", filter.startsWith("state") ? "unknown" : "is no cursor");
			dashboard.awaitText("main .actions", "Pause");
			administration.pause("invoices");
			try {
				dashboard.awaitText("main .actions", "Resume");
				assertThat(dashboard.text("main h1")).contains("paused");
				assertThat(dashboard.text("header")).contains("Live");
			}
			finally {
				administration.resume("invoices");
			}
		}
	}

	@Test
	void runningJobsAreInTheOrderOfTheirStart() {
		JobAdministration administration = application.getBean(JobAdministration.class);
		for (int customer : List.of(501, 502)) {
			jobs().enqueue(EnqueueOptions.now().queue("line" + customer), "bill", customer);
		}
		// Running jobs in memory are listed by their ids, which are random.
		List<JobRecord> listed = administration.list(JobFilter.waiting().job("bill"), 100, null)
			.jobs()
			.stream()
			.filter((job) -> job.queue().startsWith("line"))
			.sorted(Comparator.comparing(JobRecord::id))
			.toList();
		JobConsumers consumers = application.getBean(JobConsumers.class);
		try (JobConsumer first = consumers.open("first", listed.get(1).queue());
				JobConsumer second = consumers.open("second", listed.get(0).queue())) {
			ConsumedJob early = first.poll().orElseThrow();
			application.getBean(InMemoryLocket.ShiftedClock.class).advance(Duration.ofSeconds(1));
			ConsumedJob late = second.poll().orElseThrow();
			assertThat(administration.list(JobFilter.inState(JobState.RUNNING), 10, null).jobs())
				.extracting(JobRecord::id)
				.isEqualTo(listed.stream().map(JobRecord::id).toList());
			for (String view : List.of("#/", "#/jobs?state=running")) {
				dashboard.open(view);
				dashboard.awaitText("main", "[501]", "[502]");
				assertThat(
						texts("[...document.querySelectorAll('main tbody th a')].map((job) => job.getAttribute('href'))"
								+ ".filter((job) => job.startsWith('#/job/')).slice(0, 2)"))
					.as(view)
					.containsExactly("#/job/" + listed.get(1).id(), "#/job/" + listed.get(0).id());
			}
			early.succeed();
			late.succeed();
		}
	}

	@Test
	void leasesAreInTheOrderOfTheirAcquisition() {
		LeaseService leases = application.getBean(LeaseService.class);
		Lease first = leases.tryAcquire(LeaseRequest.of(leases.keyOf("report", "first")).lasting(Duration.ofHours(1)))
			.orElseThrow();
		application.getBean(InMemoryLocket.ShiftedClock.class).advance(Duration.ofSeconds(1));
		Lease second = leases.tryAcquire("report", "second").orElseThrow();
		try {
			dashboard.open("#/leases");
			dashboard.awaitText("main", "[\"first\"]", "[\"second\"]");
			assertThat(texts("[...document.querySelectorAll('main tbody .key')].map((key) => key.innerText)"))
				.containsSubsequence("[\"first\"]", "[\"second\"]");
		}
		finally {
			first.close();
			second.close();
		}
	}

	@Test
	@Tag("scale")
	void rowThatMovesKeepsTheFocus() {
		die("first");
		die("second");
		browser().get("about:blank");
		dashboard.open("#/jobs?state=dead");
		dashboard.awaitText("main", "[\"first\"]", "[\"second\"]");
		browser().executeScript("""
				const send = window.fetch;
				window.turns = 0;
				window.fetch = async (address, options) => {
					const response = await send(address, options);
					const body = await response.json();
					if (window.turns++ % 2 === 0) {
						body.jobs.jobs.reverse();
					}
					return new Response(JSON.stringify(body), {status: response.status, headers: response.headers});
				};
				""");
		for (int row = 0; row < 2; row++) {
			WebElement link = browser().findElements(By.cssSelector("main .job a")).get(row);
			browser().executeScript("arguments[0].focus()", link);
			String top = dashboard.text("main .job");
			await().atMost(PATIENCE).until(() -> !dashboard.text("main .job").equals(top));
			await().atMost(PATIENCE).until(() -> dashboard.text("main .job").equals(top));
			assertThat(dashboard.focused()).isEqualTo(link);
		}
		browser().get("about:blank");
	}

	@Test
	void tablesWithLongNamesDoNotScroll() {
		String queue = "tenant-" + "x".repeat(80);
		jobs().enqueue(EnqueueOptions.now().queue(queue), "bill", 2);
		die("x".repeat(300));
		application.getBean(LeaseService.class).tryAcquire("report-" + "x".repeat(80), "y".repeat(300)).orElseThrow();
		for (int width : List.of(1440, 900)) {
			Browser.resize(browser(), width, 900);
			for (String view : List.of("#/", "#/jobs", "#/queues", "#/leases")) {
				dashboard.open(view);
				dashboard.awaitText("main", "x".repeat(50));
				assertThat((List<?>) browser().executeScript("return [...document.querySelectorAll('.table')]"
						+ ".filter((table) => table.scrollWidth > table.clientWidth)"
						+ ".map((table) => table.getAttribute('aria-label'))"))
					.as(view + " " + width)
					.isEmpty();
			}
		}
	}

	@Test
	void longKeysLeaveTheirCheckboxesAlignedAndAreInTheTooltip() {
		String report = "x".repeat(150);
		application.getBean(LeaseService.class).tryAcquire("long", report).orElseThrow();
		dashboard.open("#/leases");
		dashboard.awaitText("main", "x".repeat(50));
		assertThat(texts("[...document.querySelectorAll('.key')].map((key) => key.title)"))
			.anyMatch((title) -> title.contains(report));
		die(report);
		jobs().enqueue("bill", 1);
		Browser.resize(browser(), 1000, 900);
		dashboard.open("#/jobs");
		dashboard.awaitText("main", "x".repeat(50));
		assertThat(texts("[...new Set([...document.querySelectorAll('main input[type=checkbox]')].map((box) =>"
				+ " box.getBoundingClientRect().width))].map(String)"))
			.hasSize(1);
	}

	@Test
	void columnsKeepTheirPlaceWhileTimesPass() {
		die("nobody");
		dashboard.open("#/");
		dashboard.awaitText("[aria-label='Dead letters']", "ago");
		assertThat(
				texts("""
						[...new Set(['now', '3 s ago', '59 s ago', '1 min 13 s ago', '23 h ago'].map((text) => {
							const table = document.querySelector("[aria-label='Dead letters']");
							table.querySelectorAll('time').forEach((time) => time.firstChild.data = text);
							return [...table.querySelectorAll('thead th')].map((column) => column.getBoundingClientRect().x).join();
						}))]"""))
			.hasSize(1);
	}

	@Test
	void placeholdersAreReadableInLightAndDark() {
		try {
			for (String scheme : List.of("light", "dark")) {
				browser().executeCdpCommand("Emulation.setEmulatedMedia",
						Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
				dashboard.open("#/jobs");
				dashboard.awaitText("main", "Job name");
				assertThat(((Number) browser().executeScript("""
						const input = document.querySelector('input[placeholder]');
						const luminance = (color) => color.match(/[\\d.]+/g).slice(0, 3)
							.map((value) => value / 255)
							.map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
							.reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0.05);
						const text = luminance(getComputedStyle(input, '::placeholder').color);
						const back = luminance(getComputedStyle(input).backgroundColor);
						return Math.max(text, back) / Math.min(text, back);
						""")).doubleValue()).as(scheme).isGreaterThanOrEqualTo(4.5);
			}
		}
		finally {
			browser().executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
		}
	}

	@Test
	void timesOfSchedulesAndLeasesAreExactWithoutAMouse() {
		ScheduleStore store = application.getBean(ScheduleStore.class);
		store.put(List.of(schedule("exact", "other")), null);
		Lease lease = application.getBean(LeaseService.class).tryAcquire("report", "exact").orElseThrow();
		try {
			for (String view : List.of("#/schedules", "#/leases")) {
				dashboard.open(view);
				dashboard.awaitText("main", "exact");
				assertThat(
						texts("[...document.querySelectorAll('main td time + .exact')].map((time) => time.innerText)"))
					.as(view)
					.isNotEmpty()
					.allMatch((time) -> time.matches(".*\\d{4}.*\\d:\\d\\d:\\d\\d.*"));
			}
		}
		finally {
			store.remove("exact");
			lease.close();
		}
	}

	@Test
	void jobOfAScheduleIsALinkThatLooksLikeOne() {
		ScheduleStore store = application.getBean(ScheduleStore.class);
		store.put(List.of(schedule("linked", "other")), null);
		try {
			for (String view : List.of("#/", "#/schedules")) {
				dashboard.open(view);
				dashboard.awaitText("main", "linked");
				WebElement link = browser().findElement(By.cssSelector("main a[href='#/jobs?job=bill']"));
				assertThat(link.getCssValue("color")).as(view)
					.isEqualTo(browser().findElement(By.cssSelector(".verdict a, main a:not(.key), .skip"))
						.getCssValue("color"));
			}
		}
		finally {
			store.remove("linked");
		}
	}

	@Test
	void pausedDataIsJudgedByItsOwnTime() {
		Lease lease = application.getBean(LeaseService.class).tryAcquire("report", "hold").orElseThrow();
		try {
			jobs().enqueue("bill", 1);
			for (String view : List.of("#/", "#/workers")) {
				openPaused(view, "serves this page");
				assertThat(dashboard.text("main")).doesNotContain("Jobs are not being done", "silent");
			}
			openPaused("#/leases", "[\"hold\"]");
			assertThat(dashboard.text("main")).contains("0 s left");
		}
		finally {
			browser().get("about:blank");
			lease.close();
		}
	}

	/**
	 * Opens a view, stops its updates, and lets an hour pass by the clock of the browser.
	 */
	private static void openPaused(String view, String text) {
		browser().get("about:blank");
		dashboard.open(view);
		dashboard.awaitText("main", text);
		dashboard.click("header button", "Pause updates");
		browser().executeScript("const now = Date.now; Date.now = () => now() + 3600000");
		dashboard.awaitText("main", "1 h ago");
	}

	@Test
	void longErrorAndArgumentsAreReachedByTheKeyboard() {
		die("x".repeat(300));
		dashboard.open("#/jobs?state=dead");
		dashboard.awaitText("main", "x".repeat(50));
		browser().findElement(By.cssSelector("main .job a")).click();
		dashboard.awaitText("main", "Last error");
		assertThat(texts("[...document.querySelectorAll('main pre')].map((text) => text.tabIndex + '')"))
			.containsOnly("0");
	}

	@Test
	void figuresOfSuccessesAreAligned() {
		die("nobody");
		jobs().enqueue("bill", 1);
		dashboard.open("#/queues");
		dashboard.awaitText("main", "invoices", "mail");
		assertThat(texts("""
				[...new Set(['7', '12,345,678,901'].map((text) => {
					const figures = [...document.querySelectorAll('td[data-title="Ever succeeded"]')];
					figures[0].firstChild.data = text;
					return figures.map((figure) => {
						const range = document.createRange();
						range.selectNodeContents(figure);
						return Math.round(range.getBoundingClientRect().right - figure.getBoundingClientRect().right);
					});
				}).flat())].map(String)""")).hasSize(1);
	}

	@Test
	void pageOfAQueueHasItsFiguresAndItsJobsWithoutTheirQueue() {
		die("nobody");
		dashboard.open("#/queues/mail");
		dashboard.awaitText("main thead", "When");
		assertThat(dashboard.text("main thead")).doesNotContain("Queue");
		dashboard.click("main .figures a span", "Dead letters");
		dashboard.awaitText("main table", "dead");
		assertThat(browser().getCurrentUrl()).endsWith("#/queues/mail?state=dead");
	}

	@Test
	void pageOfAJobHasTheDigestOfItsKey() {
		jobs().enqueue("bill", 5);
		dashboard.open("#/jobs?job=bill");
		dashboard.awaitText("main table", "[5]");
		dashboard.click("main .job:has([title^='[5]']) a", "bill");
		dashboard.awaitText("main", "Digest: " + application.getBean(UniqueJobs.class).keyOf("bill", 5).digest());
	}

	@Test
	void pageThatDoesNotExistIsLive() {
		browser().get("about:blank");
		dashboard.open("#/nowhere");
		dashboard.awaitText("main h1", "There is no such page");
		dashboard.awaitText("header", "Live");
		dashboard.click("main a", "Open the overview");
		dashboard.awaitText("main", "Workers");
	}

	@Test
	void columnsWithLabelledTimesKeepTheirPlaceWhileTimesPass() {
		LeaseService leases = application.getBean(LeaseService.class);
		Lease held = leases.tryAcquire("mail", "parked").orElseThrow();
		jobs().enqueue("mail", "parked");
		JobAdministration administration = application.getBean(JobAdministration.class);
		try {
			await().atMost(PATIENCE).until(() -> administration.counts("mail").in(JobState.PARKED) == 1);
			for (int width : List.of(1440, 1000)) {
				Browser.resize(browser(), width, 900);
				for (String view : List.of("#/", "#/jobs?state=parked", "#/leases")) {
					dashboard.open(view);
					dashboard.awaitText("main", "parked", "left");
					assertThat(
							texts("""
									[...new Set([['now', '0 s'], ['3 s ago', '9 s'], ['1 min 13 s ago', '1 min 13 s'], ['23 h ago', '23 h']].map(([ago, left]) => {
										document.querySelectorAll('main time').forEach((time) => time.firstChild.data = ago);
										document.querySelectorAll('main .countdown').forEach((time) => time.firstChild.data = left + ' left');
										return [...document.querySelectorAll('main thead th')].map((column) => Math.round(column.getBoundingClientRect().x)).join();
									}))]"""))
						.as(view + " " + width)
						.hasSize(1);
				}
			}
		}
		finally {
			held.close();
		}
	}

	@SuppressWarnings("unchecked")
	private static List<String> texts(String script) {
		return (List<String>) browser().executeScript("return " + script);
	}

	private static ChromeDriver browser() {
		return dashboard.browser();
	}

	private static Jobs jobs() {
		return application.getBean(Jobs.class);
	}

	private static void die(String text) {
		jobs().enqueue("mail", text);
		await().atMost(PATIENCE)
			.until(() -> application.getBean(JobAdministration.class).counts("mail").deadLetters() > 0);
	}

}
