package io.locket.test;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.locket.test.autoconfigure.AutoConfigureLocketTest;
import io.locket.test.service.TestService;

import org.springframework.boot.test.context.SpringBootTest;

/**
 * Meta-annotation for tests of the service that share one context. Its Redis is not
 * reachable, and its configuration has queues for workers.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = TestService.class,
		properties = { "spring.application.name=billing", "spring.data.redis.port=1",
				"locket.worker.queues=urgent,invoices", "locket.worker.concurrency=2" })
@AutoConfigureLocketTest
@interface LocketTest {

}
