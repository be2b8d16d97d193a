package io.locket.examples.directcalls;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.locket.ConflictStrategy;
import io.locket.UniqueJob;

import org.springframework.core.annotation.AliasFor;

@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@UniqueJob(onConflict = ConflictStrategy.WAIT)
@interface Exclusive {

	@AliasFor(annotation = UniqueJob.class, attribute = "waitFor")
	String patience() default "10s";

}
