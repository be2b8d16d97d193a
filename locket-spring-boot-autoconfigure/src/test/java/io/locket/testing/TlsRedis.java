package io.locket.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The installed Redis with a port for TLS, on which it accepts only clients with its
 * certificate. The certificate signs itself. The {@code keytool} of this JDK generates
 * it.
 */
public final class TlsRedis implements AutoCloseable {

	private static final String NAME = "redis";

	private static final String PASSWORD = "changeit";

	private final RedisServer server;

	private final int port;

	private final Path certificate;

	private final Path key;

	private TlsRedis(int port, Path certificate, Path key) {
		this.port = port;
		this.certificate = certificate;
		this.key = key;
		this.server = RedisServer.startInstalled("--tls-port", String.valueOf(port), "--tls-cert-file",
				certificate.toString(), "--tls-key-file", key.toString(), "--tls-ca-cert-file", certificate.toString());
	}

	/**
	 * Starts a server.
	 * @param directory an existing directory for the certificate and its key
	 * @return the server
	 */
	public static TlsRedis start(Path directory) throws Exception {
		char[] password = PASSWORD.toCharArray();
		KeyStore keys = KeyStore.getInstance(generate(directory).toFile(), password);
		return new TlsRedis(EmbeddedRedis.freePort(),
				write(directory, "CERTIFICATE", keys.getCertificate(NAME).getEncoded()),
				write(directory, "PRIVATE KEY", keys.getKey(NAME, password).getEncoded()));
	}

	private static Path generate(Path directory) throws Exception {
		Path store = directory.resolve("keys.p12");
		Path log = directory.resolve("keytool.log");
		Process keytool = new ProcessBuilder(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias",
						NAME, "-keyalg", "RSA", "-validity", "2", "-dname", "CN=localhost", "-ext", "san=ip:127.0.0.1",
						"-ext", "bc:c", "-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore", store.toString()))
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
			keytool.destroyForcibly();
			throw new IllegalStateException("keytool failed: " + Files.readString(log));
		}
		return store;
	}

	private static Path write(Path directory, String type, byte[] content) throws IOException {
		String base64 = Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content);
		return Files.writeString(directory.resolve(type.toLowerCase(Locale.ROOT).replace(' ', '-') + ".pem"),
				"-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n");
	}

	/**
	 * Returns the server, whose own port has no TLS.
	 */
	public RedisServer server() {
		return this.server;
	}

	/**
	 * Returns the port for TLS.
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Returns the properties of an application that connects by TLS and knows no
	 * certificate.
	 */
	public String[] properties() {
		return new String[] { "spring.data.redis.host=" + this.server.host(), "spring.data.redis.port=" + this.port,
				"spring.data.redis.ssl.enabled=true" };
	}

	/**
	 * Returns the properties with which an application trusts the certificate.
	 */
	public String[] trust() {
		return new String[] { "spring.data.redis.ssl.bundle=redis",
				"spring.ssl.bundle.pem.redis.truststore.certificate=file:" + this.certificate };
	}

	/**
	 * Returns the properties with which an application presents the certificate as its
	 * own.
	 */
	public String[] clientCertificate() {
		return new String[] { "spring.ssl.bundle.pem.redis.keystore.certificate=file:" + this.certificate,
				"spring.ssl.bundle.pem.redis.keystore.private-key=file:" + this.key };
	}

	@Override
	public void close() {
		this.server.close();
	}

}
