package io.locket.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.locket.JobState;
import io.locket.queue.QueueCounts;
import io.locket.queue.QueueOverview;
import io.locket.queue.QueueUnavailableException;
import io.locket.queue.StoreOverview;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link QueueMetrics}.
 */
@ExtendWith(OutputCaptureExtension.class)
class QueueMetricsTests {

	private static final Duration MAX_AGE = Duration.ofSeconds(5);

	private final AtomicInteger asked = new AtomicInteger();

	private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final QueueMetrics metrics = new QueueMetrics(this::overview, MAX_AGE, this.now::get);

	private volatile List<QueueOverview> queues = List.of(queue("default"), queue("invoices"));

	private volatile boolean down;

	@Test
	void gaugesTellOfTheQueue() {
		Map<JobState, Long> states = new EnumMap<>(JobState.class);
		Arrays.stream(JobState.values()).forEach((state) -> states.put(state, 10L + state.ordinal()));
		this.queues = List.of(new QueueOverview(new QueueCounts("invoices", true, 100, 0, 0, states, 3, 2, 1),
				Duration.ofMillis(1500)), queue("idle"));
		this.metrics.bindTo(this.registry);
		scrape(this.registry);
		assertThat(jobs("invoices", "scheduled")).isEqualTo(10);
		assertThat(jobs("invoices", "ready")).isEqualTo(11);
		assertThat(jobs("invoices", "parked")).isEqualTo(12);
		assertThat(jobs("invoices", "retry")).isEqualTo(13);
		assertThat(jobs("invoices", "running")).isEqualTo(14);
		assertThat(jobs("invoices", "dead")).isEqualTo(3);
		assertThat(jobs("invoices", "unreadable")).isEqualTo(2);
		assertThat(this.registry.find("locket.queue.jobs").tag("queue", "invoices").gauges()).hasSize(7);
		assertThat(gauge(this.registry, "locket.queue.paused", "invoices")).isOne();
		assertThat(gauge(this.registry, "locket.queue.paused", "idle")).isZero();
		assertThat(this.registry.get("locket.queue.oldest")
			.tag("queue", "invoices")
			.timeGauge()
			.value(TimeUnit.MILLISECONDS)).isEqualTo(1500);
		assertThat(gauge(this.registry, "locket.queue.oldest", "idle")).isZero();
		assertThat(this.registry.get("locket.queue.known").gauge().value()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "locket.queue.known", "locket.queue.jobs", "locket.queue.oldest", "locket.queue.paused" })
	void metersThatAreSwitchedOffLeaveTheOthers(String name) {
		this.registry.config().meterFilter(MeterFilter.denyNameStartsWith(name));
		this.queues = List.of();
		this.metrics.bindTo(this.registry);
		scrape(this.registry);
		this.queues = List.of(queue("invoices"), queue("reports"));
		this.now.addAndGet(MAX_AGE.toNanos());
		scrape(this.registry);
		assertThat(this.registry.getMeters()).extracting((meter) -> meter.getId().getName())
			.containsOnly(
					Stream.of("locket.queue.known", "locket.queue.jobs", "locket.queue.oldest", "locket.queue.paused")
						.filter((other) -> !other.equals(name))
						.toArray(String[]::new));
		assertThat(this.registry.getMeters().stream().map((meter) -> meter.getId().getTag("queue")))
			.contains("invoices", "reports")
			.doesNotContain("default");
		assertThat(this.asked).hasValue(2);
	}

	@Test
	void namespaceWithoutQueuesIsEmpty() {
		this.queues = List.of();
		this.metrics.bindTo(this.registry);
		assertThat(scrape(this.registry)).hasSize(10).containsOnly(0.0);
		assertThat(this.registry.find("locket.queue.jobs").tag("queue", "default").gauges()).hasSize(7);
	}

	@Test
	void registryThatRefusesAGaugeHasTheOthersAndHarmsNoOtherRegistry(CapturedOutput output) {
		this.registry.config().onMeterAdded((meter) -> {
			if ("invoices".equals(meter.getId().getTag("queue"))
					&& meter.getId().getName().equals("locket.queue.paused")) {
				throw new IllegalArgumentException("other tags");
			}
		});
		SimpleMeterRegistry second = new SimpleMeterRegistry();
		this.metrics.bindTo(this.registry);
		this.metrics.bindTo(second);
		scrape(this.registry);
		this.now.addAndGet(MAX_AGE.toNanos());
		assertThat(scrape(this.registry)).doesNotContain(Double.NaN);
		assertThat(this.registry.find("locket.queue.oldest").gauges()).hasSize(2);
		assertThat(second.find("locket.queue.paused").gauges()).hasSize(2);
		assertThat(output).containsOnlyOnce("A MeterRegistry refused a gauge of the queue 'invoices'");
	}

	@Test
	void closedMetricsLeaveNothingInTheirRegistries() {
		CompositeMeterRegistry composite = new CompositeMeterRegistry();
		composite.add(this.registry);
		SimpleMeterRegistry second = new SimpleMeterRegistry();
		this.metrics.bindTo(composite);
		this.metrics.bindTo(second);
		Gauge kept = second.get("locket.queue.known").gauge();
		scrape(this.registry);
		assertThat(this.registry.getMeters()).hasSize(19);
		this.metrics.close();
		this.now.addAndGet(MAX_AGE.toNanos());
		assertThat(kept.value()).isEqualTo(2);
		assertThat(this.registry.getMeters()).isEmpty();
		assertThat(composite.getMeters()).isEmpty();
		assertThat(second.getMeters()).isEmpty();
	}

	@Test
	void lateBindingAfterTheEndKeepsTheGaugesOfTheNextContext() {
		this.metrics.bindTo(this.registry);
		this.metrics.close();
		try (QueueMetrics next = new QueueMetrics(() -> new StoreOverview(Instant.EPOCH, List.of()), MAX_AGE,
				this.now::get)) {
			next.bindTo(this.registry);
			int gauges = this.registry.getMeters().size();
			this.metrics.bindTo(this.registry);
			this.metrics.bindTo(new SimpleMeterRegistry());
			this.metrics.close();
			assertThat(this.registry.getMeters()).hasSize(gauges);
		}
	}

	@Test
	void registryThatIsBoundAfterTheEndGetsNoGauges() {
		this.metrics.close();
		this.metrics.bindTo(this.registry);
		assertThat(this.registry.getMeters()).isEmpty();
		assertThat(this.asked).hasValue(0);
	}

	@Test
	void bindingCallsNothing() {
		this.metrics.bindTo(this.registry);
		assertThat(this.asked).hasValue(0);
	}

	@Test
	void oneOverviewServesAllGaugesOfAllRegistriesUntilItIsTooOld() {
		SimpleMeterRegistry second = new SimpleMeterRegistry();
		this.metrics.bindTo(this.registry);
		this.metrics.bindTo(second);
		for (int i = 0; i < 3; i++) {
			scrape(this.registry);
			scrape(second);
		}
		assertThat(this.asked).hasValue(1);
		assertThat(second.find("locket.queue.jobs").gauges()).hasSize(14);
		this.now.addAndGet(MAX_AGE.toNanos() - 1);
		scrape(second);
		assertThat(this.asked).hasValue(1);
		this.now.addAndGet(1);
		scrape(second);
		scrape(this.registry);
		assertThat(this.asked).hasValue(2);
	}

	@Test
	void queuesThatAreNewAppearAndThoseThatAreGoneGo() {
		CompositeMeterRegistry composite = new CompositeMeterRegistry();
		composite.add(this.registry);
		this.metrics.bindTo(composite);
		scrape(this.registry);
		this.queues = List.of(queue("invoices"), queue("reports"));
		this.now.addAndGet(MAX_AGE.toNanos());
		scrape(this.registry);
		assertThat(this.registry.find("locket.queue.paused").gauges())
			.extracting((gauge) -> gauge.getId().getTag("queue"))
			.containsExactlyInAnyOrder("invoices", "reports");
		assertThat(this.registry.find("locket.queue.jobs").tag("queue", "default").gauges()).isEmpty();
		assertThat(this.registry.find("locket.queue.oldest").gauges()).hasSize(2);
		assertThat(composite.find("locket.queue.jobs").gauges()).hasSize(14);
		assertThat(gauge(this.registry, "locket.queue.paused", "reports")).isZero();
	}

	@Test
	void registryThatIsBoundLaterGetsAllQueues() {
		this.metrics.bindTo(this.registry);
		scrape(this.registry);
		SimpleMeterRegistry later = new SimpleMeterRegistry();
		this.metrics.bindTo(later);
		this.now.addAndGet(MAX_AGE.toNanos());
		scrape(later);
		assertThat(later.find("locket.queue.jobs").gauges()).hasSize(14);
	}

	@Test
	void failureIsNoNumberAndIsRememberedAsLong() {
		this.metrics.bindTo(this.registry);
		scrape(this.registry);
		this.down = true;
		this.now.addAndGet(MAX_AGE.toNanos());
		scrape(this.registry);
		scrape(this.registry);
		assertThat(this.asked).hasValue(2);
		assertThat(this.registry.find("locket.queue.jobs").gauges()).hasSize(14);
		assertThat(scrape(this.registry)).hasSize(19).containsOnly(Double.NaN);
		this.down = false;
		this.now.addAndGet(MAX_AGE.toNanos());
		assertThat(scrape(this.registry)).hasSize(19).doesNotContain(Double.NaN);
		assertThat(this.asked).hasValue(3);
	}

	@Test
	@Timeout(20)
	void overviewIsNeverReadTwiceAtATime() throws Exception {
		CountDownLatch reply = new CountDownLatch(1);
		QueueMetrics slow = new QueueMetrics(() -> {
			StoreOverview overview = overview();
			awaitQuietly(reply);
			return overview;
		}, MAX_AGE, this.now::get);
		slow.bindTo(this.registry);
		ExecutorService scrapers = Executors.newFixedThreadPool(4);
		try {
			List<Thread> threads = new ArrayList<>();
			Callable<List<Double>> scrape = () -> {
				synchronized (threads) {
					threads.add(Thread.currentThread());
				}
				return scrape(this.registry);
			};
			List<Future<List<Double>>> scrapes = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				scrapes.add(scrapers.submit(scrape));
			}
			await().until(() -> {
				synchronized (threads) {
					return threads.size() == 4
							&& threads.stream().allMatch((thread) -> thread.getState() == Thread.State.WAITING);
				}
			});
			reply.countDown();
			for (Future<List<Double>> done : scrapes) {
				assertThat(done.get()).doesNotContain(Double.NaN);
			}
			assertThat(this.asked).hasValue(1);
		}
		finally {
			reply.countDown();
			scrapers.shutdownNow();
		}
	}

	@Test
	void nothingIsCalledIfTheGaugesAreSwitchedOff() {
		this.registry.config().meterFilter(MeterFilter.denyNameStartsWith("locket.queue"));
		this.metrics.bindTo(this.registry);
		assertThat(scrape(this.registry)).isEmpty();
		assertThat(this.asked).hasValue(0);
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private StoreOverview overview() {
		this.asked.incrementAndGet();
		if (this.down) {
			throw new QueueUnavailableException("down", null);
		}
		return new StoreOverview(Instant.EPOCH, this.queues);
	}

	private static QueueOverview queue(String name) {
		return new QueueOverview(new QueueCounts(name, false, 0, 0, 0, Map.of(), 0, 0, 0), null);
	}

	/**
	 * Reads all gauges, as a scrape does.
	 */
	private static List<Double> scrape(MeterRegistry registry) {
		return registry.getMeters().stream().map((meter) -> ((Gauge) meter).value()).toList();
	}

	private double jobs(String queue, String state) {
		return this.registry.get("locket.queue.jobs").tags("queue", queue, "state", state).gauge().value();
	}

	private static double gauge(MeterRegistry registry, String name, String queue) {
		return registry.get(name).tag("queue", queue).gauge().value();
	}

}
