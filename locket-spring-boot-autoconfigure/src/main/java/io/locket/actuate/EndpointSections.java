package io.locket.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The parts of the endpoint by their paths. Thread-safe.
 */
final class EndpointSections {

	private final EndpointParts parts;

	private final Map<String, EndpointSection> sections = new LinkedHashMap<>();

	private final @Nullable LeaderSection leader;

	EndpointSections(EndpointParts parts) {
		this.parts = parts;
		add(new QueuesSection(parts.administration()));
		add(new JobsSection(parts.administration()));
		if (parts.leases() != null) {
			add(new LeasesSection(parts.leases()));
		}
		if (parts.schedules() != null) {
			add(new SchedulesSection(parts.schedules()));
		}
		add(new WorkersSection(parts.administration(), parts.instance()));
		this.leader = (parts.leadership() != null) ? new LeaderSection(parts.leadership()) : null;
		if (this.leader != null) {
			add(this.leader);
		}
	}

	private void add(EndpointSection section) {
		this.sections.put(section.path(), section);
	}

	OverviewDescriptor overview() {
		return OverviewDescriptor.of(this.parts, this.parts.administration().overview(),
				(this.leader != null) ? this.leader.leader() : null, List.copyOf(this.sections.keySet()));
	}

	/**
	 * Return what hides arguments.
	 * @param shown whether whoever asks may see anything at all
	 */
	ArgumentMask mask(boolean shown) {
		return new ArgumentMask(this.parts.jobs(), this.parts.masked(), shown);
	}

	/**
	 * Return a section.
	 * @throws UnknownEntryException if there is none of that path
	 */
	EndpointSection section(String path) {
		EndpointSection section = this.sections.get(path);
		if (section == null) {
			throw new UnknownEntryException("There is nothing called '" + path + "' here. There are "
					+ String.join(", ", this.sections.keySet()));
		}
		return section;
	}

}
