package io.locket.autoconfigure;

import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException;
import io.locket.autoconfigure.diagnostics.InvalidLocketConfigurationException.Problem;
import io.locket.autoconfigure.properties.LocketProperties;
import io.locket.autoconfigure.properties.LocketPropertiesValidator;
import io.locket.lease.InstanceNames;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The identity of this process.
 *
 * @param namespace the namespace that it shares with its fleet
 * @param name the name of the process, {@code host/pid/id}
 */
public record LocketInstance(String namespace, String name) {

	private static final Log logger = LogFactory.getLog(LocketInstance.class);

	/**
	 * The namespace of an application without a name.
	 */
	static final String FALLBACK = "locket";

	public static LocketInstance of(LocketProperties properties, Environment environment) {
		return new LocketInstance(namespace(properties, environment), InstanceNames.create());
	}

	/**
	 * Returns the name of Locket's connections in {@code CLIENT LIST}, which consists of
	 * printable ASCII characters without blanks.
	 */
	public String connectionName() {
		return ("locket:" + this.namespace + ":" + this.name).replaceAll("[^!-~]", "?");
	}

	private static String namespace(LocketProperties properties, Environment environment) {
		String configured = properties.getNamespace();
		if (configured != null) {
			return configured;
		}
		String application = environment.getProperty("spring.application.name");
		if (!StringUtils.hasText(application)) {
			logger.warn("Neither locket.namespace nor spring.application.name is set. The namespace is '" + FALLBACK
					+ "', which all applications without a name on this Redis share. Set spring.application.name");
			return FALLBACK;
		}
		if (!LocketPropertiesValidator.isNamespace(application)) {
			throw new InvalidLocketConfigurationException(new Problem("spring.application.name",
					"'" + application + "'", "cannot be used as the namespace of Locket's keys.",
					"Write locket.namespace with letters, digits, '-', '.' and ':'."));
		}
		return application;
	}

}
