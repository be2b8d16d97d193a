package io.locket.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.locket.actuate.descriptor.ArgumentMask;
import org.jspecify.annotations.Nullable;

/**
 * The sections of the endpoint by their paths. Thread-safe.
 */
final class EndpointSections {

	private final EndpointParts parts;

	private final Map<String, EndpointSection> sections = new LinkedHashMap<>();

	private final @Nullable LeaderSection leader;

	private final SharedReads reads;

	EndpointSections(EndpointParts parts, LongSupplier nanoTime) {
		this.parts = parts;
		this.reads = new SharedReads(nanoTime);
		add(new QueuesSection(parts.administration()));
		add(new JobsSection(parts.administration()));
		if (parts.leases() != null) {
			add(new LeasesSection(parts.leases()));
		}
		if (parts.schedules() != null) {
			add(new SchedulesSection(parts.schedules()));
		}
		WorkersSection workers = new WorkersSection(parts.administration(), parts.instance());
		add(workers);
		this.leader = (parts.leadership() != null) ? new LeaderSection(parts.leadership()) : null;
		if (this.leader != null) {
			add(this.leader);
		}
		if (parts.settings() != null) {
			add(new SettingsSection(parts.settings()));
		}
		// Not shared with other reads, because a write must not start a second
		// verification.
		add(new ViolationsSection(parts.administration(), new SharedReads(nanoTime)));
		ThroughputSection throughput = new ThroughputSection(parts.administration(), this.reads);
		add(throughput);
		add(new SummarySection(parts, workers, throughput, this::overview, this.reads));
	}

	private void add(EndpointSection section) {
		this.sections.put(section.path(), section);
	}

	OverviewDescriptor overview() {
		return OverviewDescriptor.of(this.parts, this.parts.administration().overview(),
				(this.leader != null) ? this.leader.leader() : null, List.copyOf(this.sections.keySet()));
	}

	/**
	 * Applies a write, after which no shared read is older than the write.
	 * @param write the write
	 * @return its result
	 */
	<T> T change(Supplier<T> write) {
		return this.reads.change(write);
	}

	/**
	 * Returns a mask.
	 * @param shown whether the caller may see unmasked values
	 */
	ArgumentMask mask(boolean shown) {
		return new ArgumentMask(this.parts.jobs(), this.parts.masked(), shown);
	}

	/**
	 * Returns a section, or {@code null} if no section has this path.
	 */
	@Nullable EndpointSection find(String path) {
		return this.sections.get(path);
	}

	/**
	 * Returns a section.
	 * @throws UnknownEntryException if no section has this path
	 */
	EndpointSection section(String path) {
		EndpointSection section = this.sections.get(path);
		if (section == null) {
			throw new UnknownEntryException(
					"There is no section '" + path + "'. There are " + String.join(", ", this.sections.keySet()));
		}
		return section;
	}

}
