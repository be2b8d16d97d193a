package io.locket.examples.migration.shedlock;

import java.time.Duration;
import java.time.Instant;

import io.locket.examples.Examples;
import io.locket.job.UniqueJobs;
import io.locket.lease.Lease;
import io.locket.lease.LeaseRequest;
import io.locket.lease.LeaseService;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the examples in docs/migration/shedlock.md.
 */
class ShedLockExamplesTests {

	@Test
	void taskRunsOnceInItsPeriod() {
		Examples.application(ScheduledTask.class).run((context) -> {
			ScheduledTask task = context.getBean(ScheduledTask.class);
			task.scheduledTask();
			task.scheduledTask();
			assertThat(task.runs()).isOne();
			LeaseService leases = context.getBean(LeaseService.class);
			assertThat(leases.find(context.getBean(UniqueJobs.class).keyOf("scheduledTaskName"))).isPresent()
				.get()
				.satisfies((held) -> assertThat(held.remaining()).isBetween(Duration.ofMinutes(13),
						Duration.ofMinutes(14)));
		});
	}

	@Test
	void locksOfShedLockAndLocketDoNotExcludeOneAnother() {
		Examples.application(ScheduledTask.class).run((context) -> {
			LockProvider shedLock = new RedisLockProvider(context.getBean(RedisConnectionFactory.class), "billing");
			ScheduledTask task = context.getBean(ScheduledTask.class);
			SimpleLock old = lock(shedLock);
			task.scheduledTask();
			assertThat(task.runs()).isOne();
			old.unlock();
			SimpleLock next = lock(shedLock);
			next.unlock();
		});
	}

	@Test
	void taskWithBothIsExcludedByEither() {
		Examples.application(BothLocks.class).run((context) -> {
			BothLocks.Task task = context.getBean(BothLocks.Task.class);
			LockProvider shedLock = context.getBean(LockProvider.class);
			LeaseService leases = context.getBean(LeaseService.class);
			LeaseRequest key = LeaseRequest.of(context.getBean(UniqueJobs.class).keyOf("scheduledTaskName"));
			try (Lease held = leases.tryAcquire(key).orElseThrow()) {
				task.scheduledTask();
				assertThat(task.runs()).isZero();
			}
			release(context.getBean(StringRedisTemplate.class));
			SimpleLock old = lock(shedLock);
			task.scheduledTask();
			assertThat(task.runs()).isZero();
			old.unlock();
			leases.forceRelease(key.key().digest());
			task.scheduledTask();
			assertThat(task.runs()).isOne();
			assertThat(leases.find(key.key())).isPresent();
			assertThat(shedLock.lock(configuration())).isEmpty();
			release(context.getBean(StringRedisTemplate.class));
		});
	}

	/**
	 * Deletes ShedLock's lock, which stays for its minimum time even if Locket refuses
	 * the call.
	 */
	private static void release(StringRedisTemplate redis) {
		redis.delete("job-lock:billing:scheduledTaskName");
	}

	private static SimpleLock lock(LockProvider provider) {
		return provider.lock(configuration()).orElseThrow();
	}

	private static LockConfiguration configuration() {
		return new LockConfiguration(Instant.now(), "scheduledTaskName", Duration.ofMinutes(14), Duration.ZERO);
	}

}
