package io.locket.autoconfigure.observation;

import java.time.Clock;

import io.locket.observation.DirectRunTracingObservationHandler;
import io.locket.observation.EnqueueObservationConvention;
import io.locket.observation.JobObservations;
import io.locket.observation.RunObservationConvention;
import io.locket.observation.WaitObservationConvention;
import io.locket.observation.WaitTracingObservationHandler;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} of observations of jobs, if there is an observation registry, and
 * of their traces, if there is a tracer.
 */
@AutoConfiguration(afterName = {
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
		"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
		"org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration" })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
@ConditionalOnBooleanProperty(name = "locket.enabled", matchIfMissing = true)
public final class LocketObservationAutoConfiguration {

	/**
	 * The order before Spring Boot's handlers for senders and receivers, because the
	 * first handler that supports an observation takes it.
	 */
	private static final int HANDLER_ORDER = 900;

	@Bean
	@ConditionalOnMissingBean
	JobObservations locketJobObservations(ObservationRegistry registry,
			ObjectProvider<EnqueueObservationConvention> enqueue, ObjectProvider<WaitObservationConvention> wait,
			ObjectProvider<RunObservationConvention> run) {
		return new JobObservations(registry, enqueue.getIfAvailable(), wait.getIfAvailable(), run.getIfAvailable());
	}

	/**
	 * Handlers for spans with a start in the past, and for spans without a remote parent.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(TracingObservationHandler.class)
	@ConditionalOnBean({ Tracer.class, Propagator.class })
	static class TracingConfiguration {

		@Bean
		@Order(HANDLER_ORDER)
		WaitTracingObservationHandler locketWaitTracingObservationHandler(Tracer tracer, Propagator propagator) {
			return new WaitTracingObservationHandler(tracer, propagator, Clock.systemUTC());
		}

		@Bean
		@Order(HANDLER_ORDER)
		DirectRunTracingObservationHandler locketDirectRunTracingObservationHandler(Tracer tracer) {
			return new DirectRunTracingObservationHandler(tracer);
		}

	}

	/**
	 * Handlers for the timers of enqueues and runs, and for waiting, which has none.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterObservationHandler.class)
	static class MeterConfiguration {

		@Bean
		@Order(HANDLER_ORDER)
		WaitMeterObservationHandler locketWaitMeterObservationHandler() {
			return new WaitMeterObservationHandler();
		}

		@Bean
		@ConditionalOnSingleCandidate(MeterRegistry.class)
		@Order(HANDLER_ORDER)
		JobMeterObservationHandler locketJobMeterObservationHandler(MeterRegistry meterRegistry) {
			return new JobMeterObservationHandler(meterRegistry);
		}

	}

}
