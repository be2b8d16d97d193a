package io.locket.job;

import java.lang.reflect.AnnotatedElement;
import java.util.Objects;

import io.locket.UniqueJob;

import org.springframework.core.annotation.MergedAnnotation;

/**
 * A job of one bean.
 *
 * @param bean the bean
 * @param job the job
 * @param source where the annotation is written
 * @param named whether the annotation states the name
 */
record BoundJob(JobBean bean, UniqueJobDefinition job, Object source, boolean named) {

	static BoundJob of(JobBean bean, UniqueJobDefinition job, MergedAnnotation<UniqueJob> annotation) {
		Object source = (annotation.getSource() instanceof AnnotatedElement element) ? element : job.method();
		return new BoundJob(bean, job, source, !annotation.getString("name").isEmpty());
	}

	/**
	 * Return whether two may share a name: one annotation, seen from two beans that it
	 * names alike, or from one bean by its interface and by its class.
	 * @param other the other job
	 * @return {@code true} if they are one job
	 */
	boolean isSameJobAs(BoundJob other) {
		boolean alike = (this.named && other.named) || this.bean.name().equals(other.bean.name());
		return alike && Objects.equals(this.source, other.source);
	}

}
