package io.locket.autoconfigure.observation;

import io.locket.observation.JobMdc;
import org.slf4j.MDC;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} of the diagnostic context (MDC) of job bodies, if SLF4J is present.
 */
@AutoConfiguration
@ConditionalOnClass(MDC.class)
@ConditionalOnBooleanProperty(name = { "locket.enabled", "locket.logging.mdc" }, matchIfMissing = true)
public final class LocketLoggingAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	JobMdc locketJobMdc() {
		return new JobMdc();
	}

}
