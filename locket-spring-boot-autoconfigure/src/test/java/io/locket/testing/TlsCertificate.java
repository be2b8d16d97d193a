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
 * A certificate for loopback, which servers and clients share. It signs itself, and the
 * {@code keytool} of this JDK generates it.
 *
 * @param certificate the file of the certificate
 * @param key the file of its private key
 */
public record TlsCertificate(Path certificate, Path key) {

	private static final String NAME = "redis";

	private static final String PASSWORD = "changeit";

	/**
	 * Generates a certificate.
	 * @param directory an existing directory for its files
	 * @return the certificate
	 */
	public static TlsCertificate generate(Path directory) throws Exception {
		char[] password = PASSWORD.toCharArray();
		KeyStore keys = KeyStore.getInstance(generateStore(directory).toFile(), password);
		return new TlsCertificate(write(directory, "CERTIFICATE", keys.getCertificate(NAME).getEncoded()),
				write(directory, "PRIVATE KEY", keys.getKey(NAME, password).getEncoded()));
	}

	private static Path generateStore(Path directory) throws Exception {
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
	 * Returns the arguments of a server that presents this certificate, and accepts only
	 * clients with it.
	 */
	String[] serverArguments() {
		return new String[] { "--tls-cert-file", this.certificate.toString(), "--tls-key-file", this.key.toString(),
				"--tls-ca-cert-file", this.certificate.toString(), "--tls-cluster", "yes", "--tls-replication", "yes" };
	}

	/**
	 * Returns the properties of an application that connects by TLS and trusts this
	 * certificate.
	 */
	public String[] trust() {
		return new String[] { "spring.data.redis.ssl.bundle=redis",
				"spring.ssl.bundle.pem.redis.truststore.certificate=file:" + this.certificate };
	}

	/**
	 * Returns further properties, with which an application presents this certificate.
	 */
	public String[] clientCertificate() {
		return new String[] { "spring.ssl.bundle.pem.redis.keystore.certificate=file:" + this.certificate,
				"spring.ssl.bundle.pem.redis.keystore.private-key=file:" + this.key };
	}

}
