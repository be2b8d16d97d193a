package io.locket.aop;

import io.locket.JobKey;
import io.locket.job.ReturnKind;
import io.locket.job.UniqueJobDefinition;
import org.aopalliance.intercept.MethodInvocation;

/**
 * A direct call of a guarded job.
 *
 * @param job the job
 * @param key the key of the call
 * @param returns what its return type means
 * @param invocation the call itself
 */
record GuardedCall(UniqueJobDefinition job, JobKey key, ReturnKind returns, MethodInvocation invocation) {

}
