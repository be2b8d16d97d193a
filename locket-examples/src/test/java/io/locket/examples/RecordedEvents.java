package io.locket.examples;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.locket.event.JobEvent;
import io.locket.event.JobEventListener;

/**
 * Bean that records Locket's events.
 */
public class RecordedEvents implements JobEventListener {

	private final List<JobEvent> events = new CopyOnWriteArrayList<>();

	@Override
	public void onEvent(JobEvent event) {
		this.events.add(event);
	}

	/**
	 * Returns the events of a type.
	 * @param <T> the type
	 * @param type the type
	 * @return the events so far
	 */
	public <T extends JobEvent> List<T> of(Class<T> type) {
		return this.events.stream().filter(type::isInstance).map(type::cast).toList();
	}

}
