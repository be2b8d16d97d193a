/**
 * The dashboard on the servlet stack.
 */
@NullMarked
package io.locket.dashboard.servlet;

import org.jspecify.annotations.NullMarked;
