package io.locket.examples.metrics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.LeaseLossCause;
import io.locket.event.JobEventListener;
import io.locket.event.LeaseLost;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

@Configuration
class Listeners {

	private static final Log logger = LogFactory.getLog(Listeners.class);

	private final Alarms alarms = new Alarms();

	@Bean
	JobEventListener audit() {
		return (event) -> logger.debug(event);
	}

	@EventListener
	void on(LeaseLost lost) {
		this.alarms.raise(lost.key().job(), lost.cause());
	}

	@Bean
	Alarms alarms() {
		return this.alarms;
	}

	static class Alarms {

		private final List<String> raised = new CopyOnWriteArrayList<>();

		void raise(String job, LeaseLossCause cause) {
			this.raised.add(job + " " + cause);
		}

		List<String> raised() {
			return this.raised;
		}

	}

}
