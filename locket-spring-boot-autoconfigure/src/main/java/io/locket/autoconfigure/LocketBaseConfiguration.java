package io.locket.autoconfigure;

import java.util.stream.Stream;

import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.event.JobEventListener;
import io.locket.event.publish.JobEventPublisher;
import io.locket.key.JobKeys;
import io.locket.observer.JobObserver;
import io.locket.observer.JobObservers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * The beans that all parts of Locket need: keys, the group that elects a leader,
 * observers and events.
 */
@Configuration(proxyBeanMethods = false)
public class LocketBaseConfiguration {

	@Bean
	@ConditionalOnMissingBean
	JobKeys locketJobKeys() {
		return new JobKeys();
	}

	@Bean
	LeaderGroup locketLeaderGroup(LocketProperties properties, Environment environment) {
		return LeaderGroup.of(properties, environment);
	}

	@Bean
	JobObservers locketJobObservers(ObjectProvider<JobObserver> observers) {
		return new JobObservers(() -> observers.orderedStream().toList());
	}

	@Bean
	@ConditionalOnMissingBean
	JobEventPublisher locketJobEventPublisher(ObjectProvider<JobEventListener> listeners,
			ApplicationEventPublisher applicationEvents) {
		return new JobEventPublisher(
				() -> Stream.concat(listeners.orderedStream(), Stream.of(new JobEventForwarder(applicationEvents)))
					.toList());
	}

}
