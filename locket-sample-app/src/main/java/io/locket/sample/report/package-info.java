/**
 * Jobs that use the reports of a scan.
 */
@NullMarked
package io.locket.sample.report;

import org.jspecify.annotations.NullMarked;
