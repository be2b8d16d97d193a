package io.locket.autoconfigure.schedule;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.lease.LockRegistryLeaseAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.event.LeadershipEvent;
import io.locket.event.LeadershipGained;
import io.locket.event.LeadershipLost;
import io.locket.lease.LeaseService;
import io.locket.schedule.leader.LeaderElection;
import io.locket.schedule.leader.Leadership;
import io.locket.testing.LazyInitialization;
import io.locket.testing.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LeaderAutoConfiguration}.
 */
class LeaderAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
				LeaseAutoConfiguration.class, LockRegistryLeaseAutoConfiguration.class,
				UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class, LeaderAutoConfiguration.class))
		.withPropertyValues(RedisServer.shared().properties())
		.withPropertyValues("locket.namespace=" + RedisServer.newNamespace(), "locket.leader.enabled=true");

	@Test
	void processThatIsToLeadLeadsAndResignsWhenItStops() {
		Listener listener = new Listener();
		this.runner.withBean(Listener.class, () -> listener)
			.withInitializer(new LazyInitialization())
			.run((context) -> {
				Leadership leadership = context.getBean(Leadership.class);
				await().until(leadership::isLeader);
				await().until(() -> !listener.events.isEmpty());
				this.runner.withPropertyValues("locket.leader.enabled=false").run((other) -> {
					assertThat(other).doesNotHaveBean(LeaderElection.class);
					assertThat(other.getBean(Leadership.class).isLeader()).isFalse();
					assertThat(other.getBean(Leadership.class).leader()).isPresent();
				});
			});
		long term = listener.events.get(0).term();
		assertThat(listener.events).containsExactly(new LeadershipGained(term), new LeadershipLost(term, true));
		this.runner.withPropertyValues("locket.leader.enabled=false")
			.run((context) -> assertThat(context.getBean(Leadership.class).leader()).isEmpty());
	}

	@Test
	void eachGroupHasALeader() {
		ApplicationContextRunner leads = this.runner.withInitializer(new LazyInitialization());
		leads.withPropertyValues("spring.application.name=my orders").run((orders) -> {
			await().until(orders.getBean(Leadership.class)::isLeader);
			leads.withPropertyValues("locket.leader.group=billing").run((billing) -> {
				await().until(billing.getBean(Leadership.class)::isLeader);
				assertThat(orders.getBean(Leadership.class).isLeader()).isTrue();
				assertThat(billing.getBean(Leadership.class).leader())
					.isNotEqualTo(orders.getBean(Leadership.class).leader());
			});
			leads.withPropertyValues("locket.leader.group=my-orders-636a9d37", "locket.leader.enabled=false")
				.run((other) -> assertThat(other.getBean(Leadership.class).leader())
					.isEqualTo(orders.getBean(Leadership.class).leader())
					.isPresent());
		});
	}

	@Test
	void leadersLeaseIsInRedisWhereverDirectCallsHaveTheirs() {
		this.runner.withPropertyValues("locket.lease.store=lock-registry")
			.withBean(LockRegistry.class, DefaultLockRegistry::new)
			.run((context) -> {
				assertThat(context.getBean(LeaseService.class).isThreadBound()).isTrue();
				Leadership leadership = context.getBean(Leadership.class);
				await().until(leadership::isLeader);
				assertThat(leadership.leader()).get()
					.satisfies((leader) -> assertThat(leader.fencingToken()).isEqualTo(leadership.term()));
			});
	}

	@Test
	void withoutAQueueNoProcessLeads() {
		this.runner.withPropertyValues("locket.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Leadership.class));
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class, LeaderAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Leadership.class));
	}

	static class Listener {

		private final List<LeadershipEvent> events = new CopyOnWriteArrayList<>();

		@EventListener
		void on(LeadershipEvent event) {
			this.events.add(event);
		}

	}

}
