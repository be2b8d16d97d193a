package io.locket.dashboard.browser;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import io.locket.job.JobRequest;
import io.locket.job.Jobs;
import io.locket.job.administration.JobAdministration;
import io.locket.job.administration.JobFilter;
import io.locket.queue.JobRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.By;
import redis.embedded.RedisServer;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the dashboard in a browser while a million jobs wait. The time of a view is
 * compared with that while a thousand wait.
 */
@ExtendWith(BrowserCondition.class)
@Tag("scale")
class MillionJobsTests {

	private static final int FEW = 1_000;

	private static final int MANY = 1_000_000;

	private static final int CHUNK = 10_000;

	private static final int ROUNDS = 9;

	/**
	 * Requests of the page, by what a reader does.
	 */
	private static final Map<String, String> REQUESTS = requests();

	private static RedisServer redis;

	private static ConfigurableApplicationContext application;

	private static OpenDashboard dashboard;

	private static Map<String, Double> fewTimes;

	@BeforeAll
	static void fill() throws IOException {
		redis = redis();
		redis.start();
		application = DashboardApplication.startOnRedis(redis.ports().get(0));
		enqueue(0, FEW);
		dashboard = new OpenDashboard(application, "#/jobs");
		// The first requests compile the code.
		times();
		fewTimes = times();
		enqueue(FEW, MANY);
	}

	@AfterAll
	static void stop() throws IOException {
		if (dashboard != null) {
			dashboard.close();
		}
		if (application != null) {
			application.close();
		}
		redis.stop();
	}

	private static Map<String, String> requests() {
		Map<String, String> requests = new LinkedHashMap<>();
		requests.put("overview", "summary");
		requests.put("jobs", "summary/jobs?limit=50");
		requests.put("a state", "summary/jobs?state=ready&limit=50");
		requests.put("a state without jobs", "summary/jobs?state=dead&limit=50");
		requests.put("a queue", "summary/jobs?queue=invoices&limit=50");
		requests.put("a job name", "summary/jobs?job=bill&limit=50");
		return requests;
	}

	private static RedisServer redis() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return RedisServer.newRedisServer()
				.port(socket.getLocalPort())
				.setting("save \"\"")
				.setting("appendonly no")
				.build();
		}
	}

	private static void enqueue(int from, int to) {
		Jobs jobs = application.getBean(Jobs.class);
		for (int first = from; first < to; first += CHUNK) {
			jobs.enqueueAll(IntStream.range(first, Math.min(to, first + CHUNK))
				.mapToObj((customer) -> JobRequest.of("bill", customer))
				.toList());
		}
		assertThat(administration().overview().queues()).singleElement()
			.satisfies((queue) -> assertThat(queue.counts().accepted()).isEqualTo(to));
	}

	private static JobAdministration administration() {
		return application.getBean(JobAdministration.class);
	}

	/**
	 * Returns the median times of the requests in milliseconds, as the browser measures
	 * them.
	 */
	private static Map<String, Double> times() {
		Map<String, Double> times = new LinkedHashMap<>();
		REQUESTS.forEach((name, path) -> times.put(name,
				IntStream.range(0, ROUNDS)
					.mapToDouble((round) -> ((Number) dashboard.browser()
						.executeAsyncScript("const done = arguments[1]; const start = performance.now();"
								+ " fetch('/actuator/locket/' + arguments[0], {cache: 'no-store'})"
								+ ".then((response) => response.ok ? response.text() : Promise.reject(response.status))"
								+ ".then(() => done(performance.now() - start));", path))
						.doubleValue())
					.sorted()
					.skip(ROUNDS / 2)
					.findFirst()
					.orElseThrow()));
		return times;
	}

	@Test
	void viewsTakeNoLongerThanWithAThousandJobs() {
		Map<String, Double> many = times();
		System.out.printf("Median times in ms with %,d jobs: %s%nwith %,d jobs: %s%n", FEW, fewTimes, MANY, many);
		many.forEach((name, time) -> assertThat(time).as(name).isLessThan(100 + 5 * fewTimes.get(name)));
	}

	@Test
	void pagesFollowEachOther() {
		dashboard.open("#/jobs");
		dashboard.awaitText("main", "Next page");
		List<String> first = shown();
		assertThat(first).hasSize(50);
		dashboard.click("main .paging a", "Next page");
		await().atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertThat(shown()).hasSize(50).doesNotContainAnyElementsOf(first));
		dashboard.click("main .paging a", "First page");
		await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(shown()).isEqualTo(first));
	}

	@Test
	void jobIsFoundByItsIdAndByItsKey() {
		JobRecord first = administration().list(JobFilter.waiting(), 1, null).jobs().get(0);
		dashboard.open("#/jobs");
		dashboard.awaitText("main", "Next page");
		dashboard.browser().executeScript("document.querySelector('input[placeholder=\"opens the job\"]').focus()");
		dashboard.browser().switchTo().activeElement().sendKeys(first.id() + "\n");
		dashboard.awaitText("main .aside", first.id());
		dashboard.click("main #key ~ p a", "All jobs of this key");
		await().atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertThat(shown()).containsExactly(Objects.requireNonNull(first.key()).text()));
	}

	@Test
	void searchThatFindsNothingInItsFirstPartOffersTheNextOne() {
		dashboard.open("#/jobs?text=" + (MANY - 1));
		dashboard.awaitText("main", "The next page continues the search.", "Next page");
		dashboard.open("#/jobs?state=dead");
		dashboard.awaitText("main", "No job fits these filters.");
	}

	@Test
	void overviewHasAllOfThem() {
		dashboard.open("#/");
		dashboard.awaitText("main .verdict", "1,000,000");
	}

	private static List<String> shown() {
		return dashboard.browser()
			.findElements(By.cssSelector("main tbody .key"))
			.stream()
			.map((element) -> element.getText())
			.toList();
	}

}
