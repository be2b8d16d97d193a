package io.locket.examples.howto.tenants;

import io.locket.JobState;
import io.locket.examples.Examples;
import io.locket.job.Jobs;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.settings.EffectiveSettings;
import io.locket.test.LocketTester;
import io.locket.test.autoconfigure.AutoConfigureLocketTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the examples in docs/how-to/per-tenant-limits.md.
 */
@SpringBootTest
@AutoConfigureLocketTest
class TenantTests {

	@Autowired
	private Imports imports;

	@Autowired
	private Jobs jobs;

	@Autowired
	private UniqueJobs keys;

	@Autowired
	private LocketTester locket;

	@BeforeEach
	void forget() {
		this.imports.files().clear();
	}

	@Test
	void tenantWithARunningImportDelaysNoOther() {
		Lease running = this.locket.occupy("imports.one", "acme", 1);
		this.jobs.enqueue("imports.one", "acme", 2);
		this.jobs.enqueue("imports.one", "zenith", 3);
		this.locket.drain();
		assertThat(this.imports.files()).containsExactly("zenith 3");
		assertThat(this.locket).has(JobState.PARKED, "imports.one");
		running.close();
		this.locket.drain();
		assertThat(this.imports.files()).containsExactly("zenith 3", "acme 2");
	}

	@Test
	void tenantHasThreeKeys() {
		assertThat(this.keys.keyOf("imports.few", "acme", 1)).isEqualTo(this.keys.keyOf("imports.few", "acme", 4))
			.isNotEqualTo(this.keys.keyOf("imports.few", "acme", 2))
			.isNotEqualTo(this.keys.keyOf("imports.few", "zenith", 1));
	}

	@Test
	void largeTenantHasAQueueWithALimit() {
		Examples.application(Imports.class, Uploads.class)
			.withInitializer(Examples.configurationOf("docs/how-to/per-tenant-limits.md"))
			.run((context) -> {
				Uploads uploads = context.getBean(Uploads.class);
				uploads.uploaded("acme", 1);
				uploads.uploaded("zenith", 2);
				await().untilAsserted(() -> assertThat(context.getBean(Imports.class).files())
					.containsExactlyInAnyOrder("acme 1", "zenith 2"));
				EffectiveSettings settings = context.getBean(EffectiveSettings.class);
				assertThat(settings.queue("imports-acme").maxRunning()).isEqualTo(4);
				assertThat(settings.queue("imports").maxRunning()).isEqualTo(10);
			});
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Imports.class)
	static class Application {

	}

}
