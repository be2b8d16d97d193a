package io.locket.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import io.locket.actuate.descriptor.BatchDescriptor;
import io.locket.actuate.descriptor.ResultDescriptor;
import io.locket.text.LineText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Audit of write operations. Each operation, also a failed one, creates an audit event
 * and a log line with the principal, the operation and the result. The failure of a
 * listener of audit events does not change the response.
 */
final class WriteAudit {

	static final String FAILED = "LOCKET_WRITE_FAILED";

	private static final Log logger = LogFactory.getLog(WriteAudit.class);

	private final ApplicationEventPublisher events;

	WriteAudit(ApplicationEventPublisher events) {
		this.events = events;
	}

	/**
	 * Applies an operation and audits it.
	 * @param principal the name of the user
	 * @param write the operation
	 * @param name the name or the id of the entry
	 * @param argument the value of the operation's parameter, or {@code null}
	 * @param action applies the operation
	 * @return the result
	 */
	ResultDescriptor write(String principal, EndpointWrite write, String name, @Nullable String argument,
			Supplier<ResultDescriptor> action) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put(write.subject(), name);
		if (argument != null && write.argument() != null) {
			data.put(write.argument(), argument);
		}
		return write(principal, write, write.auditType(), data, action, ResultDescriptor::facts);
	}

	/**
	 * Applies an operation to many entries and audits it.
	 * @param principal the name of the user
	 * @param write the operation
	 * @param query the filters of the entries
	 * @param argument the value of the operation's parameter, or {@code null}
	 * @param action applies the operation
	 * @return the counts of the operation
	 */
	BatchDescriptor writeBatch(String principal, EndpointWrite write, ListQuery query, @Nullable String argument,
			Supplier<BatchDescriptor> action) {
		Map<String, Object> data = new LinkedHashMap<>(query.named());
		if (argument != null && write.batchArgument() != null) {
			data.put(write.batchArgument(), argument);
		}
		return write(principal, write, write.batchAuditType(), data, action, BatchDescriptor::facts);
	}

	private <T> T write(String principal, EndpointWrite write, String type, Map<String, Object> data,
			Supplier<T> action, Function<T, Map<String, Object>> facts) {
		T result;
		try {
			result = action.get();
		}
		catch (RuntimeException | Error ex) {
			data.put("action", write.action());
			data.put("error", (ex.getMessage() != null) ? ex.getMessage() : ex.getClass().getName());
			publish(principal, FAILED, write, data);
			throw ex;
		}
		data.putAll(facts.apply(result));
		publish(principal, type, write, data);
		return result;
	}

	private void publish(String principal, String type, EndpointWrite write, Map<String, Object> data) {
		logger.info(LineText
			.of("Actuator: " + principal + " requested to " + write.action() + " a " + write.subject() + ": " + data));
		try {
			this.events.publishEvent(new AuditApplicationEvent(principal, type, data));
		}
		catch (RuntimeException | Error ex) {
			// The operation is complete. With an error as response, the user would repeat
			// it.
			logger.warn("A listener of audit events failed on " + type
					+ ". The response of the endpoint is not affected. Fix the listener", ex);
		}
	}

}
