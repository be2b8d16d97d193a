/**
 * The dashboard on the servlet stack. Not part of the API.
 */
@NullMarked
package io.locket.dashboard.servlet;

import org.jspecify.annotations.NullMarked;
