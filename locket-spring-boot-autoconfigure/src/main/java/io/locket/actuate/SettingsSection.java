package io.locket.actuate;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.locket.actuate.descriptor.ArgumentMask;
import io.locket.queue.QueueNames;
import io.locket.settings.EffectiveSettings;

import org.springframework.util.ReflectionUtils;

/**
 * The section of the settings of the responding process, with the policies of queues.
 */
final class SettingsSection implements EndpointSection {

	static final String PATH = "settings";

	private final Supplier<EffectiveSettings> settings;

	SettingsSection(Supplier<EffectiveSettings> settings) {
		this.settings = settings;
	}

	@Override
	public String path() {
		return PATH;
	}

	@Override
	public Object list(ListQuery query, ArgumentMask mask) {
		return describe(this.settings.get());
	}

	@Override
	public Object entry(String name, ListQuery query, ArgumentMask mask) {
		return describe(this.settings.get().queue(QueueNames.require(name)));
	}

	/**
	 * Returns the components of a record, with durations in milliseconds. Components
	 * without a value are left out.
	 */
	private static Map<String, Object> describe(Record settings) {
		Map<String, Object> description = new LinkedHashMap<>();
		for (RecordComponent component : settings.getClass().getRecordComponents()) {
			Object value = ReflectionUtils.invokeMethod(component.getAccessor(), settings);
			if (value != null) {
				description.put(component.getName() + ((value instanceof Duration) ? "Ms" : ""), value(value));
			}
		}
		return description;
	}

	private static Object value(Object value) {
		if (value instanceof Duration duration) {
			return duration.toMillis();
		}
		if (value instanceof Record nested) {
			return describe(nested);
		}
		if (value instanceof List<?> list) {
			return list.stream().map(SettingsSection::value).toList();
		}
		if (value instanceof Map<?, ?> map) {
			Map<String, Object> described = new LinkedHashMap<>();
			map.forEach((key, element) -> described.put(String.valueOf(key), value(element)));
			return described;
		}
		return value;
	}

	/**
	 * Returns the described classes.
	 */
	static List<Class<?>> types() {
		List<Class<?>> types = Arrays.stream(EffectiveSettings.class.getDeclaredClasses()).collect(Collectors.toList());
		types.add(EffectiveSettings.class);
		return types;
	}

}
