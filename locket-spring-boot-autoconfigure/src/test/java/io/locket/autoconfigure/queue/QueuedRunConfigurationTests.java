package io.locket.autoconfigure.queue;

import java.time.Duration;
import java.util.List;

import io.locket.aop.call.OnLost;
import io.locket.autoconfigure.LocketInstance;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.properties.NamedQueueProperties;
import io.locket.autoconfigure.properties.RetryProperties;
import io.locket.queue.redis.QueueSettings;
import io.locket.worker.consumer.ConsumerSettings;
import io.locket.worker.settings.GroupSettings;
import io.locket.worker.settings.RetrySettings;
import io.locket.worker.settings.WorkerSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for {@link QueuedRunConfiguration} and the settings of queue and consumers. Each
 * setting has another value.
 */
class QueuedRunConfigurationTests {

	private static final LocketInstance HERE = new LocketInstance("shop", "host/1/a");

	private final LocketProperties properties = new LocketProperties();

	@BeforeEach
	void configureRetriesAndQueues() {
		RetryProperties.Backoff backoff = this.properties.getRetry().getBackoff();
		backoff.setInitial(Duration.ofSeconds(11));
		backoff.setMultiplier(3);
		backoff.setMax(Duration.ofSeconds(12));
		backoff.setJitter(0.4);
		this.properties.getRetry().setMaxReclaims(5);
		NamedQueueProperties slow = new NamedQueueProperties();
		slow.setMaxRunning(6);
		this.properties.getQueues().put("slow", slow);
		this.properties.getWorker().setShutdownGrace(Duration.ofSeconds(13));
		this.properties.getWorker().setPollInterval(Duration.ofSeconds(14));
		this.properties.getWorker().setBatchHold(Duration.ofMillis(15));
	}

	@Test
	void workersHaveTheirProperties() {
		this.properties.getWorker().setQueues(List.of("default"));
		WorkerSettings settings = workerSettings();
		assertThat(settings.namespace()).isEqualTo("shop");
		assertThat(settings.instance()).isEqualTo("host/1/a");
		assertThat(settings.shutdownGrace()).isEqualTo(Duration.ofSeconds(13));
		assertThat(settings.maxRunning()).containsExactly(entry("slow", 6));
		assertThatRetriesAreConfigured(settings.retry());
		GroupSettings group = settings.groups().get(0);
		assertThat(group.batchHold()).isEqualTo(Duration.ofMillis(15));
		assertThat(group.pollInterval()).isEqualTo(Duration.ofSeconds(14));
	}

	@Test
	void bodyIsInterruptedAfterALossUnlessTheApplicationIsOnlyNotified() {
		assertThat(workerSettings().interruptOnLost()).isTrue();
		this.properties.getLease().getOnLost().setQueued(OnLost.NOTIFY);
		assertThat(workerSettings().interruptOnLost()).isFalse();
	}

	@Test
	void consumersHaveThePropertiesOfTheWorkers() {
		this.properties.setMaskArguments(true);
		ConsumerSettings settings = JobConsumerAutoConfiguration.settings(this.properties, HERE);
		assertThat(settings.instance()).isEqualTo("host/1/a");
		assertThat(settings.pollInterval()).isEqualTo(Duration.ofSeconds(14));
		assertThat(settings.shutdownGrace()).isEqualTo(Duration.ofSeconds(13));
		assertThat(settings.maxRunning()).containsExactly(entry("slow", 6));
		assertThat(settings.maskArguments()).isTrue();
		assertThatRetriesAreConfigured(settings.retry());
	}

	@Test
	void queueKeepsHistoryAndDeadLettersAsConfigured() {
		this.properties.getHistory().setMaxAge(Duration.ofMinutes(21));
		this.properties.getHistory().setMaxSize(22);
		this.properties.getHistory().setAttempts(23);
		this.properties.getDead().setMaxAge(Duration.ofMinutes(24));
		this.properties.getDead().setMaxSize(25);
		QueueSettings settings = QueueAutoConfiguration.RedisConfiguration.settings(this.properties,
				Duration.ofSeconds(1));
		assertThat(settings.commandTimeout()).isEqualTo(Duration.ofSeconds(1));
		assertThat(settings.maxReclaims()).isEqualTo(5);
		assertThat(settings.historyMaxAge()).isEqualTo(Duration.ofMinutes(21));
		assertThat(settings.historyMaxSize()).isEqualTo(22);
		assertThat(settings.keptAttempts()).isEqualTo(23);
		assertThat(settings.deadMaxAge()).isEqualTo(Duration.ofMinutes(24));
		assertThat(settings.deadMaxSize()).isEqualTo(25);
	}

	private WorkerSettings workerSettings() {
		return new QueuedRunConfiguration().locketWorkerSettings(this.properties, HERE, new MockEnvironment());
	}

	private static void assertThatRetriesAreConfigured(RetrySettings retry) {
		assertThat(retry.initial()).isEqualTo(Duration.ofSeconds(11));
		assertThat(retry.multiplier()).isEqualTo(3);
		assertThat(retry.max()).isEqualTo(Duration.ofSeconds(12));
		assertThat(retry.jitter()).isEqualTo(0.4);
	}

}
