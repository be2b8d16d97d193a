/**
 * One guarded call: its admission, its lease, the run of its body and its reports. Not
 * part of the API.
 */
@NullMarked
package io.locket.aop.call;

import org.jspecify.annotations.NullMarked;
