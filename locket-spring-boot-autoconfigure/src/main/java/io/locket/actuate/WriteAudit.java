package io.locket.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Leaves an audit event and a line of the log of each write, also of one that fails: who
 * asked, for what, and what came of it. A listener of audit events that fails changes
 * nothing about the answer.
 */
final class WriteAudit {

	static final String FAILED = "LOCKET_WRITE_FAILED";

	private static final Log logger = LogFactory.getLog(WriteAudit.class);

	private final ApplicationEventPublisher events;

	WriteAudit(ApplicationEventPublisher events) {
		this.events = events;
	}

	/**
	 * Write, and tell of it.
	 * @param principal who asks
	 * @param write what to do
	 * @param name the name or the id of what it is done to
	 * @param queue the queue to move to, or {@code null}
	 * @param action does it
	 * @return what came of it
	 */
	ResultDescriptor write(String principal, EndpointWrite write, String name, @Nullable String queue,
			Supplier<ResultDescriptor> action) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put(write.subject(), name);
		if (queue != null) {
			data.put("queue", queue);
		}
		ResultDescriptor result;
		try {
			result = action.get();
		}
		catch (RuntimeException ex) {
			data.put("action", write.action());
			data.put("error", (ex.getMessage() != null) ? ex.getMessage() : ex.getClass().getName());
			tell(principal, FAILED, write, data);
			throw ex;
		}
		data.putAll(result.facts());
		tell(principal, write.auditType(), write, data);
		return result;
	}

	private void tell(String principal, String type, EndpointWrite write, Map<String, Object> data) {
		logger.info(("Actuator: " + principal + " asked to " + write.action() + " a " + write.subject() + ": " + data)
			.replaceAll("\\p{Cntrl}", "?"));
		try {
			this.events.publishEvent(new AuditApplicationEvent(principal, type, data));
		}
		catch (RuntimeException ex) {
			// What is done is done: whoever asked would ask again if this was its answer.
			logger.warn("A listener of audit events failed on " + type
					+ "; the answer of the endpoint is not affected. Mend that listener", ex);
		}
	}

}
