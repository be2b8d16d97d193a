package io.locket.worker;

import java.time.Duration;
import java.util.Scanner;

import io.locket.autoconfigure.job.UniqueJobAutoConfiguration;
import io.locket.autoconfigure.lease.LeaseAutoConfiguration;
import io.locket.autoconfigure.queue.JobConsumerAutoConfiguration;
import io.locket.autoconfigure.queue.QueueAutoConfiguration;
import io.locket.worker.consumer.ConsumedJob;
import io.locket.worker.consumer.JobConsumer;
import io.locket.worker.consumer.JobConsumers;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Process that takes one job and holds it until it dies.
 */
public final class ConsumerProcess {

	private ConsumerProcess() {
	}

	public static void main(String[] args) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
					LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
					JobConsumerAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.host=" + args[0], "spring.data.redis.port=" + args[1],
					"locket.namespace=" + args[2])
			.run((context) -> {
				JobConsumer consumer = context.getBean(JobConsumers.class).open("doomed", "q");
				ConsumedJob job = consumer.poll(Duration.ofSeconds(20)).orElseThrow();
				System.out.println("took " + job.record().id());
				new Scanner(System.in).nextLine();
			});
	}

}
