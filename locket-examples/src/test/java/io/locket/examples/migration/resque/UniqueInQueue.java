package io.locket.examples.migration.resque;

import java.util.List;

import io.locket.LockStrategy;
import io.locket.UniqueJob;
import io.locket.key.JobKeyGenerator;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
class UniqueInQueue {

	@Bean
	JobKeyGenerator perQueue() {
		return (call) -> List.of(call.queue(), call.arguments());
	}

	@Bean
	Cleaning cleaning() {
		return new Cleaning();
	}

	static class Cleaning {

		@UniqueJob(lock = LockStrategy.UNTIL_EXECUTING)
		public void clean() {
		}

	}

}
