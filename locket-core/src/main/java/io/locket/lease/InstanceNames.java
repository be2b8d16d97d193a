package io.locket.lease;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Names of processes, which holder records and the running jobs contain.
 */
public final class InstanceNames {

	private static final Log logger = LogFactory.getLog(InstanceNames.class);

	private InstanceNames() {
	}

	/**
	 * Creates a name for this process, which no other process and no other context of
	 * this process has.
	 * @return the name, {@code host/pid/id}
	 */
	public static String create() {
		return host() + "/" + ProcessHandle.current().pid() + "/" + UUID.randomUUID().toString().substring(0, 8);
	}

	private static String host() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			logger.debug("Could not resolve the local host name", ex);
			return "unknown-host";
		}
	}

}
