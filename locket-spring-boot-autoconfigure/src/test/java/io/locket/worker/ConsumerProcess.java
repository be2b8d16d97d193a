package io.locket.worker;

import java.time.Duration;
import java.util.Scanner;

import io.locket.autoconfigure.JobConsumerAutoConfiguration;
import io.locket.autoconfigure.LeaseAutoConfiguration;
import io.locket.autoconfigure.QueueAutoConfiguration;
import io.locket.autoconfigure.UniqueJobAutoConfiguration;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * A process that takes one job and holds it until it dies.
 */
final class ConsumerProcess {

	private ConsumerProcess() {
	}

	static void main(String[] args) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
					LeaseAutoConfiguration.class, UniqueJobAutoConfiguration.class, QueueAutoConfiguration.class,
					JobConsumerAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.host=" + args[0], "spring.data.redis.port=" + args[1],
					"locket.namespace=" + args[2])
			.run((context) -> {
				JobConsumer consumer = context.getBean(JobConsumers.class).open("doomed", "q");
				TakenJob job = consumer.poll(Duration.ofSeconds(20)).orElseThrow();
				System.out.println("took " + job.record().id());
				new Scanner(System.in).nextLine();
			});
	}

}
