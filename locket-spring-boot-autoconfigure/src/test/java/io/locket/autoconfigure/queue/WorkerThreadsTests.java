package io.locket.autoconfigure.queue;

import java.util.List;

import io.locket.autoconfigure.LocketInstance;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.properties.WorkerGroupSpec;
import io.locket.autoconfigure.properties.WorkerProperties;
import io.locket.worker.settings.GroupSettings;
import io.locket.worker.settings.WorkerThreads;
import org.junit.jupiter.api.Test;

import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the threads of workers.
 */
class WorkerThreadsTests {

	private static final WorkerThreads VIRTUAL_IF_THERE = (Runtime.version().feature() >= 21) ? WorkerThreads.VIRTUAL
			: WorkerThreads.PLATFORM;

	private final LocketProperties properties = new LocketProperties();

	private final MockEnvironment environment = new MockEnvironment();

	WorkerThreadsTests() {
		this.properties.getWorker().setQueues(List.of("default"));
		WorkerProperties.Group group = new WorkerProperties.Group();
		group.setQueues(List.of("reports"));
		this.properties.getWorker().getGroups().put("reports", group);
	}

	@Test
	void platformThreadsAreTheDefault() {
		assertThat(threads()).containsExactly(WorkerThreads.PLATFORM, WorkerThreads.PLATFORM);
	}

	@Test
	void applicationWithVirtualThreadsHasVirtualWorkers() {
		this.environment.setProperty("spring.threads.virtual.enabled", "true");
		assertThat(threads()).containsExactly(VIRTUAL_IF_THERE, VIRTUAL_IF_THERE);
	}

	@Test
	void settingOfTheWorkerPrevails() {
		this.environment.setProperty("spring.threads.virtual.enabled", "true");
		this.properties.getWorker().setThreads(WorkerThreads.PLATFORM);
		assertThat(threads()).containsExactly(WorkerThreads.PLATFORM, WorkerThreads.PLATFORM);
	}

	@Test
	void settingOfAGroupPrevails() {
		this.environment.setProperty("spring.threads.virtual.enabled", "true");
		this.properties.getWorker().getGroups().get("reports").setThreads(WorkerThreads.PLATFORM);
		assertThat(threads()).containsExactly(VIRTUAL_IF_THERE, WorkerThreads.PLATFORM);
	}

	@Test
	void groupWithoutASettingHasThreadsOfTheApplication() {
		List<WorkerGroupSpec> groups = WorkerGroupSpec.of(this.properties.getWorker());
		assertThat(groups).extracting((group) -> QueuedRunConfiguration.group(group, WorkerThreads.VIRTUAL).threads())
			.containsExactly(WorkerThreads.VIRTUAL, WorkerThreads.VIRTUAL);
	}

	private List<WorkerThreads> threads() {
		return new QueuedRunConfiguration()
			.locketWorkerSettings(this.properties, new LocketInstance("shop", "host/1/a"), this.environment)
			.groups()
			.stream()
			.map(GroupSettings::threads)
			.toList();
	}

}
