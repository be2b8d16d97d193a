package io.locket.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.locket.test.LocketTestMode;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * Annotation for a test class whose context has Locket's queue and leases in memory, and
 * a {@link io.locket.test.LocketTester} to drive them. No Redis is needed, no connection
 * is opened, and no background worker runs. It supports {@code @SpringBootTest} and test
 * slices.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@PropertyMapping("spring.test.locket")
public @interface AutoConfigureLocketTest {

	/**
	 * Returns when enqueued jobs run.
	 * @return the mode
	 */
	@PropertyMapping(skip = PropertyMapping.Skip.ON_DEFAULT_VALUE)
	LocketTestMode mode() default LocketTestMode.QUEUED;

}
