package io.locket.docs;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.locket.event.JobEvent;
import io.locket.event.QueueEvent;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the events in docs/metrics.md.
 */
class EventPageTests {

	private static final Set<String> OF_EVERY_QUEUE_EVENT = Set.of("id", "job", "queue");

	@Test
	void pageListsEveryEventWithItsFields() throws IOException {
		Map<String, Set<String>> expected = new TreeMap<>();
		for (Class<?> event : events(JobEvent.class)) {
			expected.put(event.getSimpleName(), fields(event));
		}
		assertThat(documented()).isEqualTo(expected);
	}

	private static List<Class<?>> events(Class<?> type) {
		List<Class<?>> events = new ArrayList<>();
		for (Class<?> permitted : type.getPermittedSubclasses()) {
			events.addAll(permitted.isRecord() ? List.of(permitted) : events(permitted));
		}
		return events;
	}

	private static Set<String> fields(Class<?> event) {
		Set<String> fields = Arrays.stream(event.getRecordComponents())
			.map(RecordComponent::getName)
			.collect(Collectors.toCollection(TreeSet::new));
		if (QueueEvent.class.isAssignableFrom(event)) {
			fields.removeAll(OF_EVERY_QUEUE_EVENT);
		}
		return fields;
	}

	/**
	 * Returns the documented events with their fields. A row with several events has
	 * their fields in the same order, separated by semicolons. The fields of the first
	 * event belong to all of them.
	 */
	private static Map<String, Set<String>> documented() throws IOException {
		Map<String, Set<String>> documented = new TreeMap<>();
		String page = Files.readString(Path.of("..", "docs", "metrics.md"));
		for (String line : page.substring(page.indexOf("## Events")).lines().toList()) {
			String[] cells = line.split("\\|");
			if (!line.startsWith("| `") || cells.length < 4) {
				continue;
			}
			List<String> events = names(cells[1]).toList();
			String[] parts = cells[2].split(";");
			for (int i = 0; i < events.size(); i++) {
				Stream<String> own = (i < parts.length) ? names(parts[i]) : Stream.empty();
				documented.put(events.get(i),
						Stream.concat(names(parts[0]), own).collect(Collectors.toCollection(TreeSet::new)));
			}
		}
		return documented;
	}

	private static Stream<String> names(String cell) {
		return Pattern.compile("`(\\w+)`").matcher(cell).results().map((MatchResult match) -> match.group(1));
	}

}
