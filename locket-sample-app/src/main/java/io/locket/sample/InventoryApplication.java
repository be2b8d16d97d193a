package io.locket.sample;

import io.locket.sample.redis.EmbeddedRedisInitializer;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/**
 * Main class of the artifact inventory. Each artifact is offered many times and inspected
 * once, for any number of threads and replicas.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
public class InventoryApplication {

	/**
	 * Starts a replica.
	 * @param args the command line
	 */
	public static void main(String[] args) {
		create().run(args);
	}

	static SpringApplication create() {
		SpringApplication application = new SpringApplication(InventoryApplication.class);
		application.addInitializers(new EmbeddedRedisInitializer());
		return application;
	}

}
