package io.locket.aop.call;

import io.locket.JobKey;
import io.locket.job.definition.ReturnKind;
import io.locket.job.definition.UniqueJobDefinition;
import org.aopalliance.intercept.MethodInvocation;

/**
 * Direct call of a guarded job.
 *
 * @param job the job
 * @param key the key of the call
 * @param returns the kind of its return type
 * @param invocation the invocation
 */
public record GuardedCall(UniqueJobDefinition job, JobKey key, ReturnKind returns, MethodInvocation invocation) {

}
