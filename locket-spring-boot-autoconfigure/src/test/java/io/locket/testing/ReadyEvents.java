package io.locket.testing;

import java.time.Duration;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The event of an application that is ready, for contexts that no Spring application has
 * started.
 */
public final class ReadyEvents {

	private ReadyEvents() {
	}

	/**
	 * Publishes the event.
	 * @param context the context of the application
	 */
	public static void publish(AssertableApplicationContext context) {
		publish(context.getSourceApplicationContext());
	}

	/**
	 * Publishes the event.
	 * @param context the context of the application
	 */
	public static void publish(ConfigurableApplicationContext context) {
		context.publishEvent(new ApplicationReadyEvent(new SpringApplication(), new String[0], context, Duration.ZERO));
	}

}
