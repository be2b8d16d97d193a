package io.locket.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.UUID;

import io.locket.autoconfigure.InvalidLocketConfigurationException.Problem;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Who this process is: the namespace that it shares with its fleet, and its own name.
 *
 * @param namespace the namespace of all keys
 * @param name {@code host/pid/id}
 */
record LocketInstance(String namespace, String name) {

	private static final Log logger = LogFactory.getLog(LocketInstance.class);

	private static final String FALLBACK = "locket";

	static LocketInstance of(LocketProperties properties, Environment environment) {
		return new LocketInstance(namespace(properties, environment),
				host() + "/" + ProcessHandle.current().pid() + "/" + UUID.randomUUID().toString().substring(0, 8));
	}

	private static String namespace(LocketProperties properties, Environment environment) {
		String configured = properties.getNamespace();
		if (configured != null) {
			return configured;
		}
		String application = environment.getProperty("spring.application.name");
		if (!StringUtils.hasText(application)) {
			logger.warn("Neither locket.namespace nor spring.application.name is set: the namespace is '" + FALLBACK
					+ "', which every other application without a name on this Redis uses, too. Name the application");
			return FALLBACK;
		}
		if (!LocketPropertiesValidator.isNamespace(application)) {
			throw new InvalidLocketConfigurationException(List.of(new Problem("spring.application.name",
					"'" + application + "'", "cannot be the namespace of Locket's keys.",
					"Write locket.namespace with letters, digits, '-', '.' and ':'.")));
		}
		return application;
	}

	private static String host() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			logger.debug("The host has no name", ex);
			return "unknown-host";
		}
	}

}
