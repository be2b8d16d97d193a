package io.locket.actuate;

import java.util.Objects;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * The Actuator endpoint {@code locket}: an overview. What else there is to see and to do
 * has names in JMX and paths on the web, which {@link LocketEndpointJmxExtension} and
 * {@link LocketEndpointWebExtension} add. Unless the application says otherwise, it is
 * only read. Thread-safe.
 */
@Endpoint(id = "locket", defaultAccess = Access.READ_ONLY)
@ImportRuntimeHints(DescriptorHints.class)
public final class LocketEndpoint {

	private final EndpointSections sections;

	/**
	 * Create an endpoint.
	 * @param parts what it looks at
	 */
	public LocketEndpoint(EndpointParts parts) {
		this.sections = new EndpointSections(Objects.requireNonNull(parts, "'parts' must not be null"));
	}

	/**
	 * Look at everything at a glance. Costs two steps of the store, however many jobs
	 * there are.
	 * @return the overview
	 * @throws io.locket.queue.QueueUnavailableException if the store of the queues gives
	 * no answer
	 * @throws io.locket.LeaseUnavailableException if the store of the leases gives no
	 * answer
	 */
	@ReadOperation
	public OverviewDescriptor overview() {
		return this.sections.overview();
	}

	EndpointSections sections() {
		return this.sections;
	}

}
