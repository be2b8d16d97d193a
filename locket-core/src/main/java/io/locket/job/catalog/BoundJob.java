package io.locket.job.catalog;

import java.lang.reflect.AnnotatedElement;
import java.util.Objects;

import io.locket.UniqueJob;
import io.locket.job.definition.UniqueJobDefinition;

import org.springframework.core.annotation.MergedAnnotation;

/**
 * Job of one bean.
 *
 * @param bean the bean
 * @param job the job
 * @param source the element with the annotation
 * @param named whether the annotation states the name
 */
record BoundJob(JobBean bean, UniqueJobDefinition job, Object source, boolean named) {

	static BoundJob of(JobBean bean, UniqueJobDefinition job, MergedAnnotation<UniqueJob> annotation) {
		Object source = (annotation.getSource() instanceof AnnotatedElement element) ? element : job.method();
		return new BoundJob(bean, job, source, !annotation.getString("name").isEmpty());
	}

	/**
	 * Returns whether two jobs may share a name. They may if they have one annotation, on
	 * two beans with the same stated name, or on one bean through its interface and its
	 * class.
	 * @param other the other job
	 * @return {@code true} if they are one job
	 */
	boolean isSameJobAs(BoundJob other) {
		boolean alike = (this.named && other.named) || this.bean.name().equals(other.bean.name());
		return alike && Objects.equals(this.source, other.source);
	}

}
