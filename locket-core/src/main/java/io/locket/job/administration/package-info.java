/**
 * Administration of queued jobs: filters, selections, bulk updates and repair.
 */
@NullMarked
package io.locket.job.administration;

import org.jspecify.annotations.NullMarked;
