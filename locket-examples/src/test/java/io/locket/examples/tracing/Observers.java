package io.locket.examples.tracing;

import io.locket.observation.DefaultRunObservationConvention;
import io.locket.observation.RunObservationContext;
import io.locket.observation.RunObservationConvention;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
class Observers {

	@Bean
	RunObservationConvention runs() {
		return new DefaultRunObservationConvention() {

			@Override
			public String getContextualName(RunObservationContext context) {
				return context.getRun().context().job();
			}

		};
	}

}
